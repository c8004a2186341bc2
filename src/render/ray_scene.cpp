#include "render/ray_scene.h"

#include "base/check.h"

#if __has_include(<embree4/rtcore.h>)
#include <embree4/rtcore.h>
#else
#include <embree3/rtcore.h>
#endif

namespace whorl {
namespace {

// Where a liquid meets the sides of its domain, it ends in a plane with sharp edges.
std::vector<bool> in_faces_of_its_box(const TriangleMesh& mesh) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Point lo = Point::filled(infinity), hi = Point::filled(-infinity);
  for (const Point& x : mesh.vertices)
    for (int a = 0; a < 3; ++a) {
      lo[a] = std::min(lo[a], x[a]);
      hi[a] = std::max(hi[a], x[a]);
    }
  std::vector<bool> found(mesh.triangles.size());
  for (std::size_t t = 0; t < found.size(); ++t) {
    const Triangle x = corners(mesh, t);
    for (int a = 0; a < 3; ++a)
      if (x[0][a] == x[1][a] && x[0][a] == x[2][a] && (x[0][a] == lo[a] || x[0][a] == hi[a])) found[t] = true;
  }
  return found;
}

// Embree 3 and 4 differ in this alone.
void find_first(RTCScene scene, RTCRayHit& ray) {
#if RTC_VERSION_MAJOR >= 4
  rtcIntersect1(scene, &ray);
#else
  RTCIntersectContext context;
  rtcInitIntersectContext(&context);
  rtcIntersect1(scene, &context, &ray);
#endif
}

}  // namespace

struct RayScene::Content {
  Point middle;
  double size;
  RTCDevice device = rtcNewDevice(nullptr);
  RTCScene scene = rtcNewScene(device);
  std::vector<std::vector<Vec<float, 3>>> normals;         // of each object's vertices; none of balls
  std::vector<std::vector<std::array<int, 3>>> triangles;  // of each object
  std::vector<std::vector<bool>> flat;                     // of these, those that share no normal with others

  Content(const Point& m, double s) : middle(m), size(s) {
    CHECK(device != nullptr, "Embree does not start: error ", int(rtcGetDeviceError(nullptr)));
    rtcSetSceneFlags(scene, RTC_SCENE_FLAG_ROBUST);
  }
  ~Content() {
    rtcReleaseScene(scene);
    rtcReleaseDevice(device);
  }
  Content(const Content&) = delete;
  Content& operator=(const Content&) = delete;

  Vec<float, 3> inside(const Point& x) const { return convert<float>((x - middle) * (1 / size)); }

  // Places as the shutter opens and, where anything moves, as it closes.
  template <class T, class Put>
  void put_places(RTCGeometry geometry, RTCFormat format, std::size_t count, bool moves,
                  const Exposure& exposure, const Put& put) {
    rtcSetGeometryTimeStepCount(geometry, moves ? 2 : 1);
    for (unsigned step = 0; step < (moves ? 2u : 1u); ++step) {
      const double after = moves ? (step == 0 ? exposure.open : exposure.close) : 0;
      auto* out = static_cast<T*>(
          rtcSetNewGeometryBuffer(geometry, RTC_BUFFER_TYPE_VERTEX, step, format, sizeof(T), count));
      for (std::size_t i = 0; i < count; ++i) put(out[i], i, after);
    }
  }
  int attach(RTCGeometry geometry) {
    rtcCommitGeometry(geometry);
    const int object = int(rtcAttachGeometry(scene, geometry));
    rtcReleaseGeometry(geometry);
    return object;
  }
};

RayScene::RayScene(const Point& middle, double size) : content_(std::make_unique<Content>(middle, size)) {}
RayScene::~RayScene() = default;
RayScene::RayScene(RayScene&&) noexcept = default;

int RayScene::add(const TriangleMesh& mesh, std::span<const Vec<float, 3>> velocity,
                  const Exposure& exposure) {
  Content& c = *content_;
  const RTCGeometry geometry = rtcNewGeometry(c.device, RTC_GEOMETRY_TYPE_TRIANGLE);
  const bool moves = !velocity.empty() && exposure.close > exposure.open;
  c.put_places<Vec<float, 3>>(geometry, RTC_FORMAT_FLOAT3, mesh.vertices.size(), moves, exposure,
                              [&](Vec<float, 3>& place, std::size_t i, double after) {
                                const Point by = moves ? convert<double>(velocity[i]) * after : Point{};
                                place = c.inside(mesh.vertices[i] + by);
                              });
  auto* corners = static_cast<unsigned*>(rtcSetNewGeometryBuffer(
      geometry, RTC_BUFFER_TYPE_INDEX, 0, RTC_FORMAT_UINT3, 3 * sizeof(unsigned), mesh.triangles.size()));
  const std::vector<bool> flat = in_faces_of_its_box(mesh);
  std::vector<Point> sums(mesh.vertices.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    const Point area = area_vector(whorl::corners(mesh, t));
    for (int k = 0; k < 3; ++k) {
      const int vertex = mesh.triangles[t][std::size_t(k)];
      corners[3 * t + std::size_t(k)] = unsigned(vertex);
      if (!flat[t]) sums[std::size_t(vertex)] = sums[std::size_t(vertex)] + area;
    }
  }
  std::vector<Vec<float, 3>> normals;
  for (const Point& sum : sums) {
    const double l = length(sum);
    normals.push_back(convert<float>(l > 0 ? sum * (1 / l) : Point::unit(1)));
  }
  c.normals.push_back(std::move(normals));
  c.triangles.push_back(mesh.triangles);
  c.flat.push_back(flat);
  return c.attach(geometry);
}

int RayScene::add(std::span<const Speck> balls, const Exposure& exposure) {
  Content& c = *content_;
  const RTCGeometry geometry = rtcNewGeometry(c.device, RTC_GEOMETRY_TYPE_SPHERE_POINT);
  c.put_places<Vec<float, 4>>(geometry, RTC_FORMAT_FLOAT4, balls.size(), exposure.close > exposure.open,
                              exposure, [&](Vec<float, 4>& ball, std::size_t i, double after) {
                                const Vec<float, 3> x =
                                    c.inside(balls[i].place + convert<double>(balls[i].velocity) * after);
                                ball = {x[0], x[1], x[2], balls[i].radius / float(c.size)};
                              });
  c.normals.emplace_back();
  c.triangles.emplace_back();
  c.flat.emplace_back();
  return c.attach(geometry);
}

void RayScene::finish() { rtcCommitScene(content_->scene); }

std::optional<RayScene::Hit> RayScene::first(const Ray& ray, double end, float time) const {
  const Content& c = *content_;
  RTCRayHit seen{};
  const Vec<float, 3> from = c.inside(ray.origin), towards = convert<float>(ray.direction);
  seen.ray = {from[0], from[1], from[2], 0, towards[0], towards[1], towards[2], time, float(end / c.size),
              ~0u,     0,       0};
  seen.hit.geomID = seen.hit.instID[0] = RTC_INVALID_GEOMETRY_ID;
  find_first(c.scene, seen);
  if (seen.hit.geomID == RTC_INVALID_GEOMETRY_ID) return {};
  Hit hit;
  hit.distance = double(seen.ray.tfar) * c.size;
  hit.normal = normalised(Point{seen.hit.Ng_x, seen.hit.Ng_y, seen.hit.Ng_z});
  hit.smooth = hit.normal;
  hit.object = int(seen.hit.geomID);
  hit.part = seen.hit.primID;
  const std::vector<Vec<float, 3>>& normals = c.normals[seen.hit.geomID];
  if (normals.empty() || c.flat[seen.hit.geomID][seen.hit.primID]) return hit;
  const std::array<int, 3>& corner = c.triangles[seen.hit.geomID][seen.hit.primID];
  const float u = seen.hit.u, v = seen.hit.v;
  const Point smooth =
      convert<double>(normals[std::size_t(corner[0])] * (1 - u - v) + normals[std::size_t(corner[1])] * u +
                      normals[std::size_t(corner[2])] * v);
  const double l = length(smooth);
  if (l > 1e-3) hit.smooth = smooth * (1 / l);
  return hit;
}

}  // namespace whorl
