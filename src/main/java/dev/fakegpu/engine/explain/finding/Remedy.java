package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import java.util.List;

/** A change that would make the claims fit on a node, as verified with the allocator. */
public sealed interface Remedy {

    /** One method for each kind of remedy, so that no kind can be forgotten. */
    interface Cases<T> {

        T release(Release remedy);

        T tolerate(Tolerate remedy);

        T recover(Recover remedy);

        T deleteSlices(DeleteSlices remedy);

        T completePool(CompletePool remedy);

        T addDevices(AddDevices remedy);
    }

    /** Calls the method for this kind of remedy. */
    <T> T match(Cases<T> cases);

    /**
     * All of these claims release their devices.
     *
     * @param orRecover unhealthy devices whose recovery would suffice instead; empty if there are none
     */
    record Release(List<ClaimRef> claims, List<DeviceId> orRecover) implements Remedy {
        public Release {
            claims = List.copyOf(claims);
            orRecover = List.copyOf(orRecover);
        }

        public Release(List<ClaimRef> claims) {
            this(claims, List.of());
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.release(this);
        }
    }

    /** The requests tolerate a taint. */
    record Tolerate(DeviceTaint taint) implements Remedy {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.tolerate(this);
        }
    }

    /** Unhealthy devices, which the claims would get, recover. */
    record Recover(List<DeviceId> devices) implements Remedy {
        public Recover {
            devices = List.copyOf(devices);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.recover(this);
        }
    }

    /** These ResourceSlices, which keep complete ones from being used, are deleted. */
    record DeleteSlices(List<String> names) implements Remedy {
        public DeleteSlices {
            names = List.copyOf(names);
        }

        @Override
        public <T> T match(Cases<T> cases) {
            return cases.deleteSlices(this);
        }
    }

    /** The driver publishes all slices of the pool. */
    record CompletePool(PoolId pool) implements Remedy {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.completePool(this);
        }
    }

    /** There are more devices: claims of the pod's own gang, which are not released, hold devices that fit. */
    record AddDevices() implements Remedy {
        @Override
        public <T> T match(Cases<T> cases) {
            return cases.addDevices(this);
        }
    }
}
