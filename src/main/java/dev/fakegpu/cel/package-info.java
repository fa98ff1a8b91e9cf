/**
 * Device expressions: the CEL selectors of device classes and requests, and the expressions of derived attributes (KEP-6080).
 * Upstream: {@code k8s.io/dynamic-resource-allocation/cel} v0.37 with the environment for stored expressions, in which everything
 * is available whatever the feature gates.
 *
 * <p>The way of one selector from text to answer:
 *
 * <ol>
 *   <li>{@link dev.fakegpu.cel.Selectors#compile} looks the text up in its cache. A new text goes to {@link
 *       dev.fakegpu.cel.Environment}.
 *   <li>cel-java's parser and type checker turn it into a checked syntax tree. They know the variable {@code device} ({@link
 *       dev.fakegpu.cel.DeviceVariable}) and the functions of {@link dev.fakegpu.cel.library.Functions}; {@link
 *       dev.fakegpu.cel.Macros} are expanded, and {@link dev.fakegpu.cel.Literals} checks two more rules of cel-go.
 *   <li>{@link dev.fakegpu.cel.eval.Planner} plans a {@link dev.fakegpu.cel.eval.Program} from the tree, and {@link
 *       dev.fakegpu.cel.References} collects the attributes and capacities that the expression can see.
 *   <li>{@link dev.fakegpu.cel.Selector#evaluate} reduces a device to what the expression can see. If a device that looks the same
 *       was evaluated before, its result is used again.
 *   <li>Otherwise the program runs on a {@link dev.fakegpu.cel.DeviceVariable}, within the cost limit of the API.
 *   <li>The value becomes a {@link dev.fakegpu.cel.SelectorResult}: match, no match, or an error that names the expression. A text
 *       that does not compile answers every device with an error.
 * </ol>
 *
 * <p>The corpus {@code cel/corpus.yaml} compares results and costs with upstream's. Known differences:
 *
 * <ul>
 *   <li>A quantity does not remember how it was written. Upstream's {@code isInteger} and {@code asInteger} refuse {@code 1000m}
 *       and {@code 1.0}; there a result of {@code add} or {@code sub} cannot be the right side of {@code ==}, and a single point is
 *       zero.
 *   <li>Timestamps are in UTC; upstream's {@code string(t)} shows the time zone that was written.
 *   <li>The explanations in {@code format.x().validate(y).value()} are shorter.
 *   <li>Maps are iterated in a fixed order. Upstream's order changes from one evaluation to the next, and with it the cost of
 *       {@code exists} over domains.
 *   <li>Authorizer functions and protocol buffer messages, which are of no use in device expressions, do not compile.
 *   <li>{@code findAll} and {@code matches} use RE2/J, which lacks recent additions to Go's {@code regexp}.
 *   <li>Upstream's API server estimates the highest possible cost of an expression when it stores an object. That is not done here.
 * </ul>
 */
@NullMarked
package dev.fakegpu.cel;

import org.jspecify.annotations.NullMarked;
