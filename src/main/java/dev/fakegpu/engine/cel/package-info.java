/**
 * Device expressions: the CEL selectors of device classes and requests, and the expressions of derived attributes (KEP-6080). Upstream:
 * {@code k8s.io/dynamic-resource-allocation/cel} v0.37 with the environment for stored expressions, in which everything is available
 * regardless of feature gates.
 *
 * <p>The path of a selector from text to result:
 *
 * <ol>
 *   <li>{@link dev.fakegpu.engine.cel.Selectors#compile} looks the text up in its cache. A new text goes to {@link
 *       dev.fakegpu.engine.cel.Environment}.
 *   <li>cel-java's parser and type checker turn it into a checked syntax tree. They know the variable {@code device} ({@link
 *       dev.fakegpu.engine.cel.DeviceVariable}) and the functions of {@link dev.fakegpu.engine.cel.library.Functions}; {@link
 *       dev.fakegpu.engine.cel.Macros} are expanded, and {@link dev.fakegpu.engine.cel.Literals} checks two additional rules of cel-go.
 *   <li>{@link dev.fakegpu.engine.cel.eval.Planner} plans a {@link dev.fakegpu.engine.cel.eval.Program} from the tree, and {@link
 *       dev.fakegpu.engine.cel.References} collects the attributes and capacities that the expression can read.
 *   <li>{@link dev.fakegpu.engine.cel.Selector#evaluate} reduces a device to what the expression can read. If an equal reduction was evaluated
 *       before, its result is reused.
 *   <li>Otherwise the program runs on a {@link dev.fakegpu.engine.cel.DeviceVariable}, within the cost limit of the API.
 *   <li>The value becomes a {@link dev.fakegpu.engine.cel.SelectorResult}: match, no match, or an error that names the expression. An expression
 *       that does not compile returns an error for every device.
 * </ol>
 *
 * <p>The corpus {@code cel/corpus.yaml} compares results and costs with upstream's. Known differences:
 *
 * <ul>
 *   <li>A quantity does not keep its notation. Upstream's {@code isInteger} and {@code asInteger} reject {@code 1000m} and {@code 1.0};
 *       upstream, a result of {@code add} or {@code sub} cannot be the right side of {@code ==}, and the quantity {@code "."} is zero.
 *   <li>Timestamps are in UTC; upstream's {@code string(t)} keeps the time zone of the input.
 *   <li>The explanations in {@code format.x().validate(y).value()} are shorter.
 *   <li>Maps are iterated in a fixed order. Upstream's order changes from one evaluation to the next, and with it the cost of
 *       {@code exists} over domains.
 *   <li>Authorizer functions and protocol buffer messages, which are of no use in device expressions, do not compile.
 *   <li>{@code findAll} and {@code matches} use RE2/J, which lacks recent additions to Go's {@code regexp}.
 *   <li>Upstream's API server estimates the worst-case cost of an expression when it stores an object; this is not implemented here.
 * </ul>
 */
@NullMarked
package dev.fakegpu.engine.cel;

import org.jspecify.annotations.NullMarked;
