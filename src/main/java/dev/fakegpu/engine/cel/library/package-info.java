/**
 * The functions that expressions can call, one class for each library of cel-go and Kubernetes. To add a function, declare and implement it
 * in its library with upstream's overload id, and add its cost in {@code CallCosts} of {@code cel.eval} if it differs from the default.
 *
 * <p>{@link dev.fakegpu.engine.cel.library.Functions} lists the libraries and finds the function for a call. Most libraries extend {@link
 * dev.fakegpu.engine.cel.library.FunctionLibrary}, which declares each overload to the type checker and implements it in one place. The
 * operators and functions of the language itself are in {@link dev.fakegpu.engine.cel.library.StandardLibrary}; cel-java's checker has
 * their declarations.
 */
@NullMarked
package dev.fakegpu.engine.cel.library;

import org.jspecify.annotations.NullMarked;
