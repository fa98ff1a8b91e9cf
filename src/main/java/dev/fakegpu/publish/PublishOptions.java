package dev.fakegpu.publish;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;

/**
 * How the operator publishes.
 *
 * @param groups how compatibility groups are published where a FakeGpu does not say it
 * @param companionEnforces whether the companion enforces groups
 */
public record PublishOptions(Publish groups, boolean companionEnforces) {}
