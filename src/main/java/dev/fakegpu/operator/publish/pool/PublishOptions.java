package dev.fakegpu.operator.publish.pool;

import dev.fakegpu.api.CompatibilityGroupsSpec.Publish;
import dev.fakegpu.engine.explain.ClaimNaming;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/**
 * Settings of the publisher.
 *
 * @param groups how to publish compatibility groups of a FakeGpu without {@code spec.compatibilityGroups.publish}
 * @param companionEnforces whether the companion currently enforces groups, that is, its gate is {@code On}
 * @param naming which claims events about FakeGpus may name
 * @param removeForeignSlicesAfter how long after their announcement to remove the slices that a driver with the same name left behind;
 *     empty for never
 */
public record PublishOptions(
        Publish groups,
        BooleanSupplier companionEnforces,
        ClaimNaming naming,
        Optional<Duration> removeForeignSlicesAfter) {}
