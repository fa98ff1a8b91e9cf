/**
 * Device expressions: the CEL of device classes and requests, which selects devices, and that of derived attributes (KEP-6080).
 * Compiled once, evaluated once for every kind of device that an expression can tell from others. Upstream:
 * {@code k8s.io/dynamic-resource-allocation/cel} v0.37 with the environment for stored expressions, in which everything is
 * available whatever the feature gates.
 *
 * <p>Parser and type checker are cel-java's. Evaluation is done here, in the order in which cel-go does it, because the cost of an
 * evaluation, which is limited, is the sum over exactly those steps: a step of a path costs one unit, a list 10, a map 30, and a
 * call what {@link dev.fakegpu.cel.CallCosts} says. The corpus {@code cel/corpus.yaml} compares outcomes and costs with upstream's.
 *
 * <p>Known differences:
 *
 * <ul>
 *   <li>Quantities have no spelling here. Upstream's {@code isInteger} and {@code asInteger} refuse {@code 1000m} and
 *       {@code 1.0}; a quantity that comes out of {@code add} or {@code sub} cannot be the right side of {@code ==} there; and a
 *       lone point is zero there.
 *   <li>Timestamps are in UTC; upstream's {@code string(t)} shows the time zone that was written.
 *   <li>The explanations in {@code format.x().validate(y).value()} are shorter.
 *   <li>Maps are iterated in a fixed order; upstream's order changes from one evaluation to the next, and with it the cost of
 *       {@code exists} over domains.
 *   <li>Authorizer functions and protocol buffer messages, which no device expression can use to any end, do not compile.
 *   <li>{@code findAll} and {@code matches} use RE2/J, which lacks what is newer in Go's {@code regexp}.
 *   <li>Upstream estimates the highest possible cost when an object is created; that is the API server's affair and not done here.
 * </ul>
 */
@NullMarked
package dev.fakegpu.cel;

import org.jspecify.annotations.NullMarked;
