#include "validate/case_list.h"
#include "cases/combustion.h"
#include "cases/cylinder.h"
#include "cases/dam_break.h"
#include "cases/heat_kernel.h"
#include "cases/hydrostatics.h"
#include "cases/level_set.h"
#include "cases/liquid_waves.h"
#include "cases/poisson.h"
#include "cases/rotating_blob.h"
#include "cases/surface_tension.h"
#include "cases/taylor_green.h"
#include "cases/transfers.h"
#include "cases/vortices.h"
#include "validate/glow.h"

namespace whorl {

namespace {

const char* const programs = "independent small programs that agree";
const char* const own = "bounds of our own";

const ValidationCase cases[] = {
    {"V-P1", "pressure", "iterations of CG", programs, 1, cg_iterations},
    {"V-P1", "pressure", "iterations with IC(0)", programs, 3, ic_iterations},
    {"V-P1", "pressure", "iterations with MIC(0)", programs, 2, mic_iterations},
    {"V-P1", "pressure", "iterations with multigrid",
     "no more than other programs take, and hardly more on finer grids", 3, multigrid_iterations},
    {"V-P1", "pressure", "iterations on fine grids", programs, 130, poisson_iterations_fine},
    {"V-P2", "pressure", "potential flow past a cylinder that cuts faces",
     "exact flow and orders of accuracy", 1, flow_past_cut_cylinder},
    {"V-P2", "pressure", "potential flow past a cylinder of whole cells", programs, 1,
     flow_past_voxel_cylinder},
    {"V-P3", "pressure", "water at rest in turned tanks, 2D", "exact: no motion", 1, water_at_rest_2d},
    {"V-P3", "pressure", "water at rest in turned tanks, 3D", "exact: no motion", 1, water_at_rest_3d},
    {"V-B1", "advection", "a blob after one turn, relative L2 error", programs, 10, rotating_blob},
    {"V-B1", "advection", "a blob after one turn by long maps", own, 5, rotating_blob_by_maps},
    {"V-B2", "advection", "energy that a Taylor–Green vortex keeps without viscosity", programs, 5,
     inviscid_taylor_green},
    {"V-B2", "advection", "energy that a Taylor–Green vortex keeps by long maps",
     "exact: all of it; bounds of our own", 2, taylor_green_by_maps},
    {"V-B3", "advection", "energy that a Taylor–Green vortex keeps with viscosity", "exact: exp(-4 ν t)", 5,
     viscous_taylor_green},
    {"V-B4", "advection", "a Taylor–Green vortex in 3D at Re 100", programs, 15, viscous_taylor_green_3d},
    {"V-B5", "advection", "two Taylor vortices part", "McKenzie 2007; Zehnder, Narain & Thomaszewski 2018", 5,
     two_vortices},
    {"V-B7", "advection", "a vortex ring travels", "Saffman 1970", 20, vortex_ring},
    {"V-B8", "diffusion", "the heat kernel", "exact: variance grows by 2 κ t", 1, diffusion},
    {"V-B9", "level-set", "Zalesak's disk with markers", "exact: no area lost", 2, zalesak_disk},
    {"V-B9", "level-set", "Zalesak's disk without markers", own, 1, zalesak_disk_plain},
    {"V-B9", "level-set", "Zalesak's disk by sampling alone", programs, 1, zalesak_disk_sampled},
    {"V-B9", "level-set", "Zalesak's disk by particles", own, 1, zalesak_disk_particles},
    {"V-B10", "level-set", "a vortex in a box with markers", "exact: no area lost", 10, vortex_in_a_box},
    {"V-B10", "level-set", "a vortex in a box without markers", own, 3, vortex_in_a_box_plain},
    {"V-B10", "level-set", "a vortex in a box by particles", own, 1, vortex_in_a_box_particles},
    {"V-D2", "liquid", "sloshing in a tank", "linear theory", 1, sloshing},
    {"V-D3", "liquid", "dispersion of standing waves", "linear theory: ω² = g k tanh kd", 12, standing_waves},
    {"V-D4", "liquid", "the front of a dam that breaks", "Martin & Moyce 1952", 2, dam_break},
    {"V-D7", "liquid", "angular momentum after a hundred transfers", "exact: all of it with APIC", 1,
     transfers},
    {"V-E1", "tension", "a drop at rest, 2D", "Laplace: σ/R", 1, drop_at_rest_2d},
    {"V-E1", "tension", "a drop at rest, 3D", "Laplace: 2σ/R", 4, drop_at_rest_3d},
    {"V-E1", "tension", "a drop of particles, 2D", own, 2, drop_of_particles},
    {"V-E3", "tension", "a capillary wave", "linear theory", 5, capillary_wave},
    {"V-E3", "tension", "a capillary wave of particles", own, 10, capillary_wave_of_particles},
    {"V-H3", "fire", "combustion and cooling", "solutions of their equations", 5, combustion},
    {"V-H4", "fire", "colours of black bodies, CIE x and y", "published chromaticities", 1, glow},
};

}  // namespace

std::span<const ValidationCase> validation_cases() { return cases; }

}  // namespace whorl
