package dev.fakegpu.engine.explain.finding;

import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import java.util.List;

/** A change that would make the claims fit on a node, as verified with the allocator. */
public sealed interface Remedy {

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
    }

    /** The requests tolerate a taint. */
    record Tolerate(DeviceTaint taint) implements Remedy {}

    /** Unhealthy devices, which the claims would get, recover. */
    record Recover(List<DeviceId> devices) implements Remedy {
        public Recover {
            devices = List.copyOf(devices);
        }
    }

    /** These ResourceSlices, which keep complete ones from being used, are deleted. */
    record DeleteSlices(List<String> names) implements Remedy {
        public DeleteSlices {
            names = List.copyOf(names);
        }
    }

    /** The driver publishes all slices of the pool. */
    record CompletePool(PoolId pool) implements Remedy {}
}
