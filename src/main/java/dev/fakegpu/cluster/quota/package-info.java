/**
 * What ResourceQuotas and LimitRanges allow, as the API server's admission decides ({@code plugin/resourcequota} of {@code
 * k8s.io/apiserver}, the evaluators in {@code pkg/quota/v1/evaluator/core}, and {@code plugin/pkg/admission/limitranger}). In go quotas and
 * objects; out comes what is refused, in the API server's words.
 */
@NullMarked
package dev.fakegpu.cluster.quota;

import org.jspecify.annotations.NullMarked;
