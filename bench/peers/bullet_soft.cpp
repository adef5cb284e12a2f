// Bullet's side. One translation unit sees its headers.
#include <BulletDynamics/Featherstone/btMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableBodySolver.h>
#include <BulletSoftBody/btDeformableGravityForce.h>
#include <BulletSoftBody/btDeformableMassSpringForce.h>
#include <BulletSoftBody/btDeformableMultiBodyConstraintSolver.h>
#include <BulletSoftBody/btDeformableMultiBodyDynamicsWorld.h>
#include <BulletSoftBody/btDeformableNeoHookeanForce.h>
#include <BulletSoftBody/btSoftBodyRigidBodyCollisionConfiguration.h>
#include <BulletSoftBody/btSoftRigidDynamicsWorld.h>
#include <btBulletDynamicsCommon.h>

#include "bench/peers/soft_cases.h"
#include "pliant/mesh/topology.h"

namespace pliant::bench {
namespace {

const btVector3 kGravity(0, 0, -9.81F);
constexpr double kFrame = 1.0 / 60;

btVector3 to_bullet(const Vec3& p) {
  return {static_cast<btScalar>(p.x()), static_cast<btScalar>(p.y()), static_cast<btScalar>(p.z())};
}

btScalar real(double value) { return static_cast<btScalar>(value); }

// Masses of vertices, kg: a third of each face, a quarter of each tetrahedron.
std::vector<double> lumped_masses(const SoftCase& soft) {
  std::vector<double> masses(soft.rest().size(), 0);
  const std::span<const Vec3> x = soft.rest();
  if (soft.sheet) {
    for (const Triangle& t : soft.sheet->triangles()) {
      const Vec3 a = x[t[0].index()], b = x[t[1].index()], c = x[t[2].index()];
      for (const VertexId v : t) masses[v.index()] += soft.cloth.density * (b - a).cross(c - a).norm() / 6;
    }
  } else {
    for (const Tet& t : soft.solid->tets()) {
      const Vec3 a = x[t[0].index()];
      const double volume = std::abs((x[t[1].index()] - a).cross(x[t[2].index()] - a).dot(x[t[3].index()] - a)) / 6;
      for (const VertexId v : t) masses[v.index()] += soft.elastic.density * volume / 4;
    }
  }
  for (const VertexId v : soft.pinned) masses[v.index()] = 0;  // fixed, in Bullet's words
  return masses;
}

class BulletWorld : public SoftSimulation {
 public:
  BulletWorld(const SoftCase& soft, const BulletSettings& settings) : steps_(settings.steps) {
    if (settings.implicit) make_deformable_world();
    else make_position_world();
    make_body(soft);
    if (soft.sheet) add_links(soft, settings);
    else add_tets(soft);
    if (settings.implicit) add_forces(soft);
    else configure(settings);
    for (int i = 0; i < body_->m_nodes.size(); ++i) body_->m_nodes[i].m_v.setZero();
    body_->setActivationState(DISABLE_DEACTIVATION);
    if (deformable_) deformable_->addSoftBody(body_.get());
    else position_->addSoftBody(body_.get());
    if (deformable_)
      for (const auto& force : forces_) deformable_->addForce(body_.get(), force.get());
  }

  ~BulletWorld() override {
    if (deformable_) deformable_->removeSoftBody(body_.get());
    else position_->removeSoftBody(body_.get());
  }

  void step_frame() override {
    const btScalar step = real(kFrame / steps_);
    for (int i = 0; i < steps_; ++i) {
      if (deformable_) deformable_->stepSimulation(step, 0);
      else position_->stepSimulation(step, 0);
    }
  }

  std::vector<Vec3> positions() const override {
    std::vector<Vec3> x;
    for (int i = 0; i < body_->m_nodes.size(); ++i) {
      const btVector3& p = body_->m_nodes[i].m_x;
      x.emplace_back(p.x(), p.y(), p.z());
    }
    return x;
  }

 private:
  void make_position_world() {
    rigid_solver_ = std::make_unique<btSequentialImpulseConstraintSolver>();
    position_ =
        std::make_unique<btSoftRigidDynamicsWorld>(&dispatcher_, &broadphase_, rigid_solver_.get(), &collisions_);
    position_->setGravity(kGravity);
    info_ = &position_->getWorldInfo();
    prepare_info();
  }
  void make_deformable_world() {
    solver_ = std::make_unique<btDeformableBodySolver>();
    auto rigid = std::make_unique<btDeformableMultiBodyConstraintSolver>();
    rigid->setDeformableSolver(solver_.get());
    deformable_ = std::make_unique<btDeformableMultiBodyDynamicsWorld>(&dispatcher_, &broadphase_, rigid.get(),
                                                                       &collisions_, solver_.get());
    rigid_solver_ = std::move(rigid);
    deformable_->setGravity(kGravity);
    deformable_->setImplicit(true);
    deformable_->setUseProjection(true);  // conjugate gradients; without it nothing moves
    info_ = &deformable_->getWorldInfo();
    prepare_info();
  }
  void prepare_info() {
    info_->m_gravity = kGravity;
    info_->air_density = 0;
    info_->m_dispatcher = &dispatcher_;
    info_->m_broadphase = &broadphase_;
    info_->m_sparsesdf.Initialize();
  }

  void make_body(const SoftCase& soft) {
    std::vector<btVector3> x;
    std::vector<btScalar> masses;
    for (const Vec3& p : soft.rest()) x.push_back(to_bullet(p));
    for (const double m : lumped_masses(soft)) masses.push_back(real(m));
    body_ = std::make_unique<btSoftBody>(info_, static_cast<int>(x.size()), x.data(), masses.data());
    body_->m_cfg.collisions = 0;
    body_->setSelfCollision(false);
  }

  // Links of edges; no bending, which cotton has next to none of.
  void add_links(const SoftCase& soft, const BulletSettings& settings) {
    btSoftBody::Material* along = body_->m_materials[0];
    along->m_kLST = 1;
    btSoftBody::Material* across = body_->appendMaterial();
    across->m_kLST = real(settings.shear);
    std::vector<Edge> threads = soft.threads;
    std::sort(threads.begin(), threads.end());
    for (const Edge& e : soft.sheet->topology().edges()) {
      const bool is_thread = std::binary_search(threads.begin(), threads.end(), e);
      body_->appendLink(static_cast<int>(e[0].index()), static_cast<int>(e[1].index()), is_thread ? along : across);
      // The only way to give links of a deformable body two stiffnesses.
      body_->m_links[body_->m_links.size() - 1].m_bbending = is_thread ? 0 : 1;
    }
    for (const Triangle& t : soft.sheet->triangles())
      body_->appendFace(static_cast<int>(t[0].index()), static_cast<int>(t[1].index()), static_cast<int>(t[2].index()));
  }

  void add_tets(const SoftCase& soft) {
    for (const Tet& t : soft.solid->tets())
      body_->appendTetra(static_cast<int>(t[0].index()), static_cast<int>(t[1].index()), static_cast<int>(t[2].index()),
                         static_cast<int>(t[3].index()));
    body_->initializeDmInverse();
    body_->m_tetraScratches.resize(body_->m_tetras.size());
    body_->m_tetraScratchesTn.resize(body_->m_tetras.size());
  }

  // A link along threads stands for a strip as wide as the link is long: its stiffness is that of the cloth. A diagonal
  // of stiffness k gives a cell the shear modulus k / 2.
  void add_forces(const SoftCase& soft) {
    forces_.push_back(std::make_unique<btDeformableGravityForce>(kGravity));
    if (soft.sheet) {
      const ClothMaterial& m = soft.cloth;
      forces_.push_back(std::make_unique<btDeformableMassSpringForce>(real(m.stretch), real(m.stretch * m.damping),
                                                                      true, 2 * m.shear));
    } else {
      // Smith, de Goes and Kim 2018, section 3.4: these constants make the energy Lame's at small strain.
      const double mu = 4.0 / 3 * soft.elastic.mu(), lambda = soft.elastic.lambda() + 5.0 / 6 * soft.elastic.mu();
      const double damping = soft.elastic.psi / soft.elastic.mu();
      forces_.push_back(std::make_unique<btDeformableNeoHookeanForce>(real(mu), real(lambda), real(damping)));
    }
  }

  void configure(const BulletSettings& settings) {
    body_->m_cfg.piterations = settings.iterations;
    body_->m_cfg.kDP = real(2 * kFrame / settings.steps);  // 2/s, so that it comes to rest
    body_->m_cfg.viterations = 0;
    body_->m_cfg.citerations = 0;
    body_->updateLinkConstants();
  }

  int steps_;
  btSoftBodyRigidBodyCollisionConfiguration collisions_;
  btCollisionDispatcher dispatcher_{&collisions_};
  btDbvtBroadphase broadphase_;
  std::unique_ptr<btDeformableBodySolver> solver_;
  std::unique_ptr<btConstraintSolver> rigid_solver_;
  std::unique_ptr<btSoftRigidDynamicsWorld> position_;
  std::unique_ptr<btDeformableMultiBodyDynamicsWorld> deformable_;
  btSoftBodyWorldInfo* info_ = nullptr;
  std::vector<std::unique_ptr<btDeformableLagrangianForce>> forces_;
  std::unique_ptr<btSoftBody> body_;
};

}  // namespace

std::unique_ptr<SoftSimulation> make_bullet(const SoftCase& soft, const BulletSettings& settings) {
  return std::make_unique<BulletWorld>(soft, settings);
}

}  // namespace pliant::bench
