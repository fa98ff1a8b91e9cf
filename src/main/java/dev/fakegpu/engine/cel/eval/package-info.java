/**
 * Evaluates checked expressions and counts their cost, as cel-go's {@code interpreter} does. cel-java has a planner, too, but does not
 * count costs.
 *
 * <p>{@link dev.fakegpu.engine.cel.eval.Planner} converts the syntax tree to a tree of {@link dev.fakegpu.engine.cel.eval.ExpressionNode}s,
 * with one class per operator, and folds constant parts. The result is a {@link dev.fakegpu.engine.cel.eval.Program}. Each run of a program
 * has an {@link dev.fakegpu.engine.cel.eval.Evaluation}, which holds the variables and a {@link dev.fakegpu.engine.cel.eval.CostTracker}. A
 * path such as {@code device.attributes["x"].y} is an {@link dev.fakegpu.engine.cel.eval.Attribute}, and each of its steps is a
 * {@link dev.fakegpu.engine.cel.eval.Qualifier}; both terms are cel-go's.
 *
 * <p>The cost limit makes the order of evaluation visible, so nodes evaluate, and add costs, in exactly the same order as cel-go:
 * a step of a path costs one unit, a list 10, a map 30, and a call as given by {@link dev.fakegpu.engine.cel.eval.CallCosts}.
 */
@NullMarked
package dev.fakegpu.engine.cel.eval;

import org.jspecify.annotations.NullMarked;
