/**
 * Decides what ResourceQuotas and LimitRanges allow, as the API server's admission does ({@code plugin/resourcequota} of {@code
 * k8s.io/apiserver}, the evaluators in {@code pkg/quota/v1/evaluator/core}, and {@code plugin/pkg/admission/limitranger}). The input is
 * quotas and objects. The output is refusals, in the words of the API server.
 */
@NullMarked
package dev.fakegpu.cluster.quota;

import org.jspecify.annotations.NullMarked;
