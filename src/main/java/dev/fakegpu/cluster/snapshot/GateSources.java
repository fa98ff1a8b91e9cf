package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What is known about the feature gate for compatibility groups beside the objects of a cluster.
 *
 * @param chosen what the caller chose; empty to find it out
 * @param apiServer the state of the gate in the API server, read only if nothing else tells; empty if it cannot be read
 * @param choice how it can be chosen, as the reader is told
 */
public record GateSources(Optional<GroupsGate> chosen, Supplier<Optional<GroupsGate>> apiServer, String choice) {

    private static final String OPTION = "--gate";

    /** Only the objects tell. */
    public static final GateSources NONE = new GateSources(Optional.empty(), Optional::empty);

    /** Only the objects tell, and the operator's own settings are among them. */
    public static final GateSources OF_OPERATOR =
            new GateSources(Optional.empty(), Optional::empty, OperatorSettings.KUBE_SCHEDULER_GATE);

    /** Of a command. */
    public GateSources(Optional<GroupsGate> chosen, Supplier<Optional<GroupsGate>> apiServer) {
        this(chosen, apiServer, OPTION);
    }

    /** The caller decides. */
    public static GateSources chosen(GroupsGate gate) {
        return new GateSources(Optional.of(gate), Optional::empty);
    }
}
