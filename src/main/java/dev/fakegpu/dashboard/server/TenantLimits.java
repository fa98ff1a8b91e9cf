package dev.fakegpu.dashboard.server;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.LimitRange;
import io.fabric8.kubernetes.api.model.LimitRangeBuilder;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.ResourceQuota;
import io.fabric8.kubernetes.api.model.ResourceQuotaBuilder;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudget;
import io.fabric8.kubernetes.api.model.policy.v1.PodDisruptionBudgetBuilder;
import java.util.function.UnaryOperator;

/** The objects that limit what happens in a namespace: quotas, limit ranges and disruption budgets. */
final class TenantLimits {

    private TenantLimits() {}

    /** Returns other objects as they are: the operator's settings and Deployment do not belong to a tenant. */
    static HasMetadata renamed(HasMetadata object, UnaryOperator<ObjectMeta> metadata) {
        if (object instanceof ResourceQuota quota) {
            return new ResourceQuotaBuilder(quota)
                    .withMetadata(metadata.apply(quota.getMetadata()))
                    .build();
        } else if (object instanceof LimitRange range) {
            return new LimitRangeBuilder(range)
                    .withMetadata(metadata.apply(range.getMetadata()))
                    .build();
        } else if (object instanceof PodDisruptionBudget budget) {
            return new PodDisruptionBudgetBuilder(budget)
                    .withMetadata(metadata.apply(budget.getMetadata()))
                    .build();
        }
        return object;
    }
}
