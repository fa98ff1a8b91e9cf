/**
 * Device selectors: the CEL expressions of classes and requests, compiled once and evaluated for every device, with the variable
 * and the functions that Kubernetes gives them. Upstream: {@code k8s.io/dynamic-resource-allocation/cel}.
 */
@NullMarked
package dev.fakegpu.cel;

import org.jspecify.annotations.NullMarked;
