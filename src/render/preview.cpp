#include "render/preview.h"

#include "render/section.h"
#include "render/volume.h"

namespace whorl {

template <int D>
Picture render_preview(Exec& ex, const PreviewScene<D>& scene, const PreviewParams& params) {
  const Zone zone(ex.profile(), "render");
  if constexpr (D == 2)
    return render_section(ex, scene, params);
  else
    return render_volume(ex, scene, params);
}

template Picture render_preview(Exec&, const PreviewScene<2>&, const PreviewParams&);
template Picture render_preview(Exec&, const PreviewScene<3>&, const PreviewParams&);

}  // namespace whorl
