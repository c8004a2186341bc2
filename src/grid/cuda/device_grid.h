// Topologies and fields on the GPU: a copy of what the host holds, byte for byte.
#pragma once

#include "exec/cuda/device.h"
#include "grid/field.h"

namespace whorl::cuda {

template <int D>
class DeviceTopology {
 public:
  explicit DeviceTopology(const Topology<D>& host)
      : neighbours_(std::span(host.tile_set().neighbours, std::size_t(host.tile_count()) * neighbourhood<D>)),
        active_(std::span(host.view().active, std::size_t(host.tile_count() + 1) * tile_rows<D>)),
        tiles_(host.tiles()),
        map_(std::span(host.map().view().entries, std::size_t(host.map().view().mask) + 1)),
        count_(host.tile_count()) {}

  TileSet<D> tile_set() const { return {neighbours_.data(), count_}; }
  TopologyView<D> view() const { return {active_.data(), tiles_.data()}; }
  TileMapView<D> map() const { return {map_.data(), std::uint32_t(map_.size() - 1)}; }

 private:
  DeviceBuffer<int> neighbours_;
  DeviceBuffer<std::uint8_t> active_;
  DeviceBuffer<Coord<D>> tiles_;
  DeviceBuffer<typename TileMapView<D>::Entry> map_;
  int count_;
};

// The slab and its tile of zeros, as they lie in the host's memory.
template <class T, int D>
DeviceBuffer<T> upload(const Field<T, D>& field) {
  return DeviceBuffer<T>(std::span(field.data(), field.size() + std::size_t(tile_cells<D>)));
}

}  // namespace whorl::cuda
