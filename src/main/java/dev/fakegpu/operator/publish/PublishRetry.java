package dev.fakegpu.operator.publish;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Duration;

/**
 * When a FakeGpu that could not be published is tried again: after 2 s, and then less and less often, up to every 2 minutes, without end. What
 * keeps slices from being stored, such as a policy, a quota or a webhook that is away, may go at any time, and nothing tells the operator.
 */
final class PublishRetry {

    static final int WITHOUT_END = -1;
    static final long INITIAL_MILLIS = 2_000;
    static final long MAX_MILLIS = 120_000;

    /** After so many failures the delay no longer changes. */
    private static final int ALL_DELAYS = 20;

    private PublishRetry() {}

    /** The delay after the failure that is being handled, as the framework computes it from the annotation. */
    static Duration next(Context<?> context) {
        var retry = new GenericRetry();
        retry.initFrom(FakeGpuReconciler.class.getAnnotation(GradualRetry.class));
        var execution = retry.initExecution();
        int earlier = context.getRetryInfo().map(RetryInfo::getAttemptCount).orElse(0);
        for (int i = 0; i < Math.min(earlier, ALL_DELAYS); i++) {
            execution.nextDelay();
        }
        return Duration.ofMillis(execution.nextDelay().orElseThrow());
    }
}
