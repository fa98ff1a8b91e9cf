/**
 * Preparation: what a driver does when the kubelet calls NodePrepareResources. An allocation is judged by the hardware that the
 * FakeGpu models, whoever allocated and whatever was published. On simulated nodes this also plays the kubelet.
 */
@NullMarked
package dev.fakegpu.prepare;

import org.jspecify.annotations.NullMarked;
