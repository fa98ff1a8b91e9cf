package dev.fakegpu.cluster.snapshot;

import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Sources for the state of the feature gate for compatibility groups, besides the objects of a cluster.
 *
 * @param chosen the caller's choice; empty to determine the state
 * @param apiServer the state of the gate in the API server, which is read only if there is no other source; empty if it cannot be read
 * @param choice tells the reader how to choose the state
 * @param storesGroups whether the API server stores groups; otherwise kube-scheduler ignores them regardless of the choice
 */
public record GateSources(
        Optional<GroupsGate> chosen, Supplier<Optional<GroupsGate>> apiServer, String choice, boolean storesGroups) {

    private static final String OPTION = "--gate";

    /** Uses only the objects. */
    public static final GateSources NONE = new GateSources(Optional.empty(), Optional::empty);

    /** Uses only the objects, which include the operator's own settings. */
    public static final GateSources OF_OPERATOR =
            new GateSources(Optional.empty(), Optional::empty, OperatorSettings.KUBE_SCHEDULER_GATE, true);

    /** The sources of a command. */
    public GateSources(Optional<GroupsGate> chosen, Supplier<Optional<GroupsGate>> apiServer) {
        this(chosen, apiServer, OPTION, true);
    }

    /** The same sources of a cluster whose API server drops groups. */
    public GateSources withoutGroups() {
        return new GateSources(chosen, apiServer, choice, false);
    }

    /** Uses the caller's choice. */
    public static GateSources chosen(GroupsGate gate) {
        return new GateSources(Optional.of(gate), Optional::empty);
    }
}
