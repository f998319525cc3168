// A number is a node of the computation that leads to it, with a ball of 3072 bits; rational ones are just that. Balls decide
// nearly everything: a number that is not zero shows it, unless thousands of bits cancel. Only when a ball contains 0 is the
// computation repeated in Calcium, which knows the relations among roots, exponentials and logarithms, and the node keeps
// what was found. So "zero" is always proved, and so is "not zero"; what neither can prove is refused.
#include "sfg/exact/exact_polynomial.hpp"

#include <arb.h>

#include <chrono>
#include <stdexcept>

#include "sfg/exact/calcium.hpp"
#include "sfg/exact/flint.hpp"

namespace sfg::exact {

namespace {

constexpr slong ball_bits = 3072;        // Euclid's algorithm for polynomials of degree 20 loses some 2000
constexpr slong rounded_bits = 400;      // 120 digits
constexpr slong rational_bits = 300;     // no ball of 3072 bits holds a fraction of so few by chance
constexpr slong deepest_bits = 1 << 16;  // of a number known not to be zero
constexpr double longest_seconds = 10;   // for all exact decisions in one field
const std::string remedy = "state irrational values as decimals";

/// Calcium copies no number of its own accord.
class Exact {
 public:
  explicit Exact(std::shared_ptr<ExactField::Context> context);
  Exact(const Exact&) = delete;
  Exact& operator=(const Exact&) = delete;
  ~Exact();
  std::shared_ptr<ExactField::Context> context;
  ca_t value;
};

}  // namespace

struct ExactField::Context {
  Context() = default;
  Context(const Context&) = delete;
  Context& operator=(const Context&) = delete;
  ~Context() {
    if (ready_) ca_ctx_clear(context_);
  }
  /// Made when a decision first needs it: most never do.
  ca_ctx_struct* calcium() {
    if (!ready_) ca_ctx_init(context_);
    ready_ = true;
    return context_;
  }

  /// Counts the time of a decision; refuses another when there was too much.
  class Clock {
   public:
    explicit Clock(Context& context) : context_(context) {
      if (context.seconds > longest_seconds)
        throw Undecided(
            "whether some number is zero was not decided within " + std::to_string(static_cast<int>(longest_seconds)) + " s",
            remedy);
    }
    ~Clock() { context_.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count(); }
    Clock(const Clock&) = delete;
    Clock& operator=(const Clock&) = delete;

   private:
    Context& context_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  };

  double seconds = 0;

 private:
  bool ready_ = false;
  ca_ctx_t context_;
};

namespace {

Exact::Exact(std::shared_ptr<ExactField::Context> c) : context(std::move(c)) { ca_init(value, context->calcium()); }
Exact::~Exact() { ca_clear(value, context->calcium()); }

enum class Operation { rational, pi, sum, difference, product, quotient, power, exp, log, sin, cos, asin, acos, atan };

}  // namespace

struct ExactNumber::Node {
  using Pointer = std::shared_ptr<Node>;
  using Context = std::shared_ptr<ExactField::Context>;

  Node() = default;
  Node(Operation op, Pointer first, Pointer second, Context c)
      : operation(op), a(std::move(first)), b(std::move(second)), context(std::move(c)) {
    enclose();
    if (!arb_is_finite(ball_)) enclose_exactly(ball_bits);  // at the edge of a domain
  }
  using RationalOperation = void (*)(fmpq*, const fmpq*, const fmpq*);
  static Pointer combined(Operation, const Pointer&, const Pointer&, RationalOperation);
  bool is_rational() const { return operation == Operation::rational; }
  bool is_literally(slong value) const { return is_rational() && fmpq_equal_si(const_cast<fmpq*>(raw(fraction)), value) != 0; }

  void become(const Rational& value) {
    fraction = value;
    enclosed_ = false;
    operation = Operation::rational;
    a.reset();
    b.reset();
    exact.reset();
  }

  arb_srcptr ball() {
    if (!enclosed_) enclose();
    return ball_;
  }
  void enclose();
  void enclose_exactly(slong bits);
  const ca_struct* calcium(const Context&);
  bool vanishes();

  Operation operation = Operation::rational;
  Pointer a, b;
  Context context;  ///< none of a rational number
  Rational fraction;
  std::unique_ptr<Exact> exact;

 private:
  RealBall ball_;
  bool enclosed_ = false;  ///< a rational number is enclosed when an irrational one needs it
};

void ExactNumber::Node::enclose() {
  arb_ptr r = ball_;
  const auto x = [this] { return a->ball(); };
  const auto y = [this] { return b->ball(); };
  enclosed_ = true;
  switch (operation) {
    case Operation::rational: arb_set_fmpq(r, raw(fraction), ball_bits); break;
    case Operation::pi: arb_const_pi(r, ball_bits); break;
    case Operation::sum: arb_add(r, x(), y(), ball_bits); break;
    case Operation::difference: arb_sub(r, x(), y(), ball_bits); break;
    case Operation::product: arb_mul(r, x(), y(), ball_bits); break;
    case Operation::quotient: arb_div(r, x(), y(), ball_bits); break;
    case Operation::power:
      if (b->is_rational())
        arb_pow_fmpq(r, x(), raw(b->fraction), ball_bits);
      else
        arb_pow(r, x(), y(), ball_bits);
      break;
    case Operation::exp: arb_exp(r, x(), ball_bits); break;
    case Operation::log: arb_log(r, x(), ball_bits); break;
    case Operation::sin: arb_sin(r, x(), ball_bits); break;
    case Operation::cos: arb_cos(r, x(), ball_bits); break;
    case Operation::asin: arb_asin(r, x(), ball_bits); break;
    case Operation::acos: arb_acos(r, x(), ball_bits); break;
    case Operation::atan: arb_atan(r, x(), ball_bits); break;
  }
}

const ca_struct* ExactNumber::Node::calcium(const Context& in) {
  if (exact) return exact->value;
  auto result = std::make_unique<Exact>(in);
  ca_ctx_struct* ctx = in->calcium();
  ca_struct* r = result->value;
  const ca_struct* x = a ? a->calcium(in) : nullptr;
  const ca_struct* y = b ? b->calcium(in) : nullptr;
  const ExactField::Context::Clock clock(*in);
  switch (operation) {
    case Operation::rational: ca_set_fmpq(r, raw(fraction), ctx); return (exact = std::move(result))->value;
    case Operation::pi: ca_pi(r, ctx); break;
    case Operation::sum: ca_add(r, x, y, ctx); break;
    case Operation::difference: ca_sub(r, x, y, ctx); break;
    case Operation::product: ca_mul(r, x, y, ctx); break;
    case Operation::quotient: ca_div(r, x, y, ctx); break;
    case Operation::power:
      if (b->is_rational())
        ca_pow_fmpq(r, x, raw(b->fraction), ctx);
      else
        ca_pow(r, x, y, ctx);
      break;
    case Operation::exp: ca_exp(r, x, ctx); break;
    case Operation::log: ca_log(r, x, ctx); break;
    case Operation::sin: ca_sin(r, x, ctx); break;
    case Operation::cos: ca_cos(r, x, ctx); break;
    case Operation::asin: ca_asin(r, x, ctx); break;
    case Operation::acos: ca_acos(r, x, ctx); break;
    case Operation::atan: ca_atan(r, x, ctx); break;
  }
  return (exact = std::move(result))->value;
}

void ExactNumber::Node::enclose_exactly(slong bits) {
  const ca_struct* value = calcium(context);
  const ExactField::Context::Clock clock(*context);
  ComplexBall z;
  ca_get_acb(z, value, bits, context->calcium());
  arb_set(ball_, acb_realref(z));
}

bool ExactNumber::Node::vanishes() {
  if (is_rational()) return fmpq_is_zero(raw(fraction)) != 0;
  if (!arb_contains_zero(ball())) return false;
  const ca_struct* value = calcium(context);
  truth_t zero = T_UNKNOWN;
  {
    const ExactField::Context::Clock clock(*context);
    zero = ca_check_is_zero(value, context->calcium());
  }
  if (zero == T_TRUE) {
    become(Rational());
    return true;
  }
  if (zero == T_FALSE) return false;
  char* about = arb_get_str(ball(), 3, 0);
  const std::string size = about;
  flint_free(about);
  throw Undecided("whether a number is zero cannot be decided; it is enclosed by " + size, remedy);
}

using Node = ExactNumber::Node;

ExactNumber::ExactNumber() : node_(std::make_shared<Node>()) {}

ExactNumber::ExactNumber(const Rational& value) : ExactNumber() { node_->become(value); }

bool ExactNumber::is_zero() const { return node_->vanishes(); }

int ExactNumber::sign() const {
  if (is_zero()) return 0;
  for (slong bits = 2 * ball_bits; arb_contains_zero(node_->ball()); bits *= 2) {
    if (bits > deepest_bits) throw Undecided("the sign of a number cannot be decided", remedy);
    node_->enclose_exactly(bits);
  }
  return arb_is_positive(node_->ball()) ? 1 : -1;
}

std::optional<Rational> ExactNumber::rational() const {
  if (is_zero()) return Rational();
  if (node_->is_rational()) return node_->fraction;
  Rational low, high, simplest;
  BigFloat bound;
  arb_get_lbound_arf(bound, node_->ball(), ball_bits);
  const bool finite = arf_is_finite(bound);
  if (finite) arf_get_fmpq(raw(low), bound);
  arb_get_ubound_arf(bound, node_->ball(), ball_bits);
  if (finite && arf_is_finite(bound)) arf_get_fmpq(raw(high), bound);
  if (!finite || fmpq_cmp(raw(low), raw(high)) >= 0) return std::nullopt;
  fmpq_simplest_between(raw(simplest), raw(low), raw(high));
  if (static_cast<slong>(fmpq_height_bits(raw(simplest))) > rational_bits) return std::nullopt;
  ExactNumber candidate;
  candidate.node_->become(simplest);
  if (!(*this - candidate).is_zero()) return std::nullopt;
  node_->become(simplest);
  return node_->fraction;
}

Rational ExactNumber::rounded() const {
  if (const auto value = rational()) return *value;
  for (slong bits = 2 * ball_bits; arb_rel_accuracy_bits(node_->ball()) < rounded_bits; bits *= 2) {
    if (bits > deepest_bits) throw Undecided("a number cannot be computed to 120 digits", remedy);
    node_->enclose_exactly(bits);
  }
  BigFloat middle;
  arf_set_round(middle, arb_midref(node_->ball()), rounded_bits, ARF_RND_NEAR);
  Rational value;
  arf_get_fmpq(raw(value), middle);
  return value;
}

Node::Pointer Node::combined(Operation operation, const Pointer& a, const Pointer& b, RationalOperation rational) {
  if (!a->is_rational() || !b->is_rational())
    return std::make_shared<Node>(operation, a, b, a->context ? a->context : b->context);
  Rational value;
  rational(raw(value), raw(a->fraction), raw(b->fraction));
  auto result = std::make_shared<Node>();
  result->become(value);
  return result;
}

ExactNumber operator+(const ExactNumber& a, const ExactNumber& b) {
  if (a.node_->is_literally(0)) return b;
  if (b.node_->is_literally(0)) return a;
  return ExactNumber(Node::combined(Operation::sum, a.node_, b.node_, fmpq_add));
}

ExactNumber operator-(const ExactNumber& a, const ExactNumber& b) {
  if (b.node_->is_literally(0)) return a;
  if (a.node_ == b.node_) return {};
  return ExactNumber(Node::combined(Operation::difference, a.node_, b.node_, fmpq_sub));
}

ExactNumber operator*(const ExactNumber& a, const ExactNumber& b) {
  if (a.node_->is_literally(0) || b.node_->is_literally(1)) return a;
  if (b.node_->is_literally(0) || a.node_->is_literally(1)) return b;
  return ExactNumber(Node::combined(Operation::product, a.node_, b.node_, fmpq_mul));
}

ExactNumber operator/(const ExactNumber& a, const ExactNumber& b) {
  if (b.is_zero()) throw std::domain_error("ExactNumber: division by 0");
  if (a.node_->is_literally(0) || b.node_->is_literally(1)) return a;
  if (a.node_ == b.node_) return ExactNumber(1);
  return ExactNumber(Node::combined(Operation::quotient, a.node_, b.node_, fmpq_div));
}

ExactField::ExactField() : context_(std::make_shared<Context>()) {}

ExactNumber ExactField::pi() const { return ExactNumber(std::make_shared<Node>(Operation::pi, nullptr, nullptr, context_)); }

ExactNumber ExactField::power(const ExactNumber& base, const ExactNumber& exponent) const {
  if (exponent.is_zero()) return ExactNumber(1);
  const auto rational = exponent.rational();
  const bool whole = rational && rational->is_integer();
  const int sign = base.sign();
  if (sign == 0 && exponent.sign() > 0) return {};
  if (sign == 0 || (sign < 0 && !whole)) throw std::domain_error("ExactField: a power that is not a real number");
  constexpr long highest = 10'000;
  if (const Node& x = *base.node_; whole && x.is_rational() && rational->abs() < highest)
    return ExactNumber(x.fraction.power(*rational->to_integer()));
  return ExactNumber(std::make_shared<Node>(Operation::power, base.node_, exponent.node_, context_));
}

ExactNumber ExactField::exp(const ExactNumber& x) const {
  if (x.is_zero()) return ExactNumber(1);
  return ExactNumber(std::make_shared<Node>(Operation::exp, x.node_, nullptr, context_));
}
ExactNumber ExactField::log(const ExactNumber& x) const {
  if (x.sign() <= 0) throw std::domain_error("ExactField: the logarithm of a number that is not positive");
  return ExactNumber(std::make_shared<Node>(Operation::log, x.node_, nullptr, context_));
}
ExactNumber ExactField::sin(const ExactNumber& x) const {
  return ExactNumber(std::make_shared<Node>(Operation::sin, x.node_, nullptr, context_));
}
ExactNumber ExactField::cos(const ExactNumber& x) const {
  return ExactNumber(std::make_shared<Node>(Operation::cos, x.node_, nullptr, context_));
}
ExactNumber ExactField::asin(const ExactNumber& x) const {
  if ((ExactNumber(1) - x * x).sign() < 0) throw std::domain_error("ExactField: the arc sine of a number beyond 1");
  return ExactNumber(std::make_shared<Node>(Operation::asin, x.node_, nullptr, context_));
}
ExactNumber ExactField::acos(const ExactNumber& x) const {
  if ((ExactNumber(1) - x * x).sign() < 0) throw std::domain_error("ExactField: the arc cosine of a number beyond 1");
  return ExactNumber(std::make_shared<Node>(Operation::acos, x.node_, nullptr, context_));
}
ExactNumber ExactField::atan(const ExactNumber& x) const {
  return ExactNumber(std::make_shared<Node>(Operation::atan, x.node_, nullptr, context_));
}

}  // namespace sfg::exact
