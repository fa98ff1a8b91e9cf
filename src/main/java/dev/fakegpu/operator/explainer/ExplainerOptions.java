package dev.fakegpu.operator.explainer;

import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.explain.ClaimNaming;
import dev.fakegpu.engine.explain.PendingChanges;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Inputs of the explainer besides the objects that it watches.
 *
 * @param gate how kube-scheduler treats compatibility groups
 * @param isGateKnown whether kube-scheduler reports the gate or a user configured it; otherwise it is only a guess
 * @param naming what events may name
 * @param pendingChanges what FakeGpus publish once devices are released
 */
public record ExplainerOptions(
        Supplier<GroupsGate> gate, BooleanSupplier isGateKnown, ClaimNaming naming, PendingChanges pendingChanges) {}
