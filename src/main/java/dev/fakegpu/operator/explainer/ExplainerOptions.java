package dev.fakegpu.operator.explainer;

import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.PendingChanges;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * What the explainer's sentences depend on beside the objects that it watches.
 *
 * @param gate how kube-scheduler treats compatibility groups
 * @param isGateKnown whether that is what kube-scheduler reports, or a person has set; else it is only likely
 * @param naming what events name
 * @param pendingChanges what FakeGpus publish once devices are released
 */
public record ExplainerOptions(
        Supplier<GroupsGate> gate, BooleanSupplier isGateKnown, ClaimNaming naming, PendingChanges pendingChanges) {}
