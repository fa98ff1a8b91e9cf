package dev.fakegpu.operator.publish;

import io.javaoperatorsdk.operator.api.reconciler.Context;
import io.javaoperatorsdk.operator.api.reconciler.RetryInfo;
import io.javaoperatorsdk.operator.processing.retry.GenericRetry;
import io.javaoperatorsdk.operator.processing.retry.GradualRetry;
import java.time.Duration;

/**
 * When to retry a FakeGpu that could not be published: after 2 s, then at growing intervals of up to 2 minutes, without end. The cause,
 * such as a policy, a quota or an unavailable webhook, may go away at any time, and the operator gets no event when it does.
 */
final class PublishRetry {

    static final int WITHOUT_END = -1;
    static final long INITIAL_MILLIS = 2_000;
    static final long MAX_MILLIS = 120_000;

    /** After this many failures, the delay no longer changes. */
    private static final int ALL_DELAYS = 20;

    private PublishRetry() {}

    /** The delay after the failure that is being handled; the framework computes it from the annotation in the same way. */
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
