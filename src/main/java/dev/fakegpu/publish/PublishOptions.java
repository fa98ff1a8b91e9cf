package dev.fakegpu.publish;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import java.util.function.BooleanSupplier;

/**
 * How the operator publishes.
 *
 * @param groups how compatibility groups are published where a FakeGpu does not say it
 * @param companionEnforces whether the companion enforces groups now
 */
public record PublishOptions(Publish groups, BooleanSupplier companionEnforces) {}
