package dev.fakegpu.engine.allocate.lookahead;

import java.util.Arrays;

/** An upper bound of what one component can serve in the current state, for the eligible devices of one {@link Relaxation}. */
final class ComponentBound {

    private final int index;
    private final int pool;
    private final CounterComponent component;
    private final EligibleComponents components;
    private final DemandKinds kinds;
    private final SearchState state;
    private final int[] eligible;
    private final boolean shareable;
    private final FrontierCache<Version> byVersion = new FrontierCache<>();
    private final FrontierCache<Similar> bySimilarity;

    /** The state of this component, and the kinds that are still missing. */
    private record Version(int state, int missingKinds) {}

    /** If this is equal for two components, they can serve the same. */
    record Similar(ComponentProfile profile, ComponentProfile.State state, int[] kinds) {
        @Override
        public boolean equals(Object other) {
            return other instanceof Similar that
                    && profile == that.profile
                    && state.equals(that.state)
                    && Arrays.equals(kinds, that.kinds);
        }

        @Override
        public int hashCode() {
            return 31 * state.hashCode() + Arrays.hashCode(kinds);
        }
    }

    /** @param bySimilarity shared by all components of the relaxation */
    ComponentBound(
            int index,
            EligibleComponents components,
            DeviceNumbering numbering,
            DemandKinds kinds,
            SearchState state,
            FrontierCache<Similar> bySimilarity) {
        this.index = index;
        this.components = components;
        this.kinds = kinds;
        this.state = state;
        this.bySimilarity = bySimilarity;
        pool = components.all().get(index).pool();
        component = components.all().get(index).component();
        eligible = Arrays.stream(component.devices())
                .map(device -> kinds.eligibleFor(numbering.number(pool, device)))
                .toArray();
        shareable = Arrays.stream(component.devices()).anyMatch(device -> state.isShareable(pool, device));
    }

    /** @param missingKinds the kinds to count */
    ParetoFrontier frontier(int missingKinds) {
        return byVersion.get(new Version(components.version(index), missingKinds), () -> newFrontier(missingKinds));
    }

    private ParetoFrontier newFrontier(int missingKinds) {
        ComponentProfile.State left = component.state(pool, state);
        var uses = new Uses(left, missingKinds);
        if (uses.areNone) {
            return ParetoFrontier.ofNothing();
        }
        // The remaining capacity of a shared device is not part of the component's state.
        return shareable
                ? newFrontier(left, uses)
                : bySimilarity.get(
                        new Similar(component.profile(), left, uses.kindsOfMember), () -> newFrontier(left, uses));
    }

    private ParetoFrontier newFrontier(ComponentProfile.State left, Uses uses) {
        if (!shareable && component.profile().servesGreedily(left, uses.kindsOfMember, kinds.total(), state)) {
            return ParetoFrontier.of(kinds.total());
        }
        return component.profile().frontier(left, uses, kinds.total(), state);
    }

    private final class Uses implements ComponentProfile.Uses {

        /** For each member, the kinds that it can serve now; none if it is in use or does not fit. */
        private final int[] kindsOfMember = new int[eligible.length];

        private final boolean areNone;

        Uses(ComponentProfile.State left, int missingKinds) {
            int any = 0;
            for (int member = 0; member < eligible.length; member++) {
                int wanted = eligible[member] & missingKinds;
                if (wanted != 0
                        && !state.isBusy(pool, component.devices()[member])
                        && (isCharged(member) || component.profile().mayTake(member, left, state))) {
                    kindsOfMember[member] = wanted;
                    any |= wanted;
                }
            }
            areNone = any == 0;
        }

        @Override
        public ParetoFrontier of(int member) {
            if (kindsOfMember[member] == 0) {
                return ParetoFrontier.ofNothing();
            }
            int device = component.devices()[member];
            return isShareable(device)
                    ? new ShareFrontier(kinds).of(state.shares(pool, device), kindsOfMember[member])
                    : kinds.oneOf(kindsOfMember[member]);
        }

        @Override
        public boolean isCharged(int member) {
            int device = component.devices()[member];
            return isShareable(device) && state.isShared(pool, device);
        }

        private boolean isShareable(int device) {
            return shareable && state.isShareable(pool, device);
        }
    }
}
