package dev.fakegpu.cluster.holdings;

import dev.fakegpu.dra.CounterSet;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceTaint;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.engine.headroom.Count;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A piece of hardware: the devices of a pool that share counters, or a single device without counters.
 *
 * @param node the nodes that can access it: the name of a node, or {@value #ALL_NODES}, {@value #SELECTED_NODES} or {@value #NO_NODE}
 * @param name the names of its counter sets, or of the device
 * @param mode {@value #IDLE}; {@value #WHOLE} if a single held device leaves no room for others; the compatibility groups that all held
 *     devices have; {@value #PARTITIONED} or {@value #SHARED} if they have none; {@value #CONFLICT} if they have no group in common
 * @param kinds its devices; devices whose names differ only in a number are one kind
 * @param hardware its devices one by one
 */
public record Gpu(
        String node,
        PoolId pool,
        String name,
        String mode,
        List<Holding> holdings,
        List<KindRoom> kinds,
        List<Left> left,
        Hardware hardware) {

    public static final String IDLE = "idle";
    public static final String WHOLE = "whole";
    public static final String PARTITIONED = "partitioned";
    public static final String SHARED = "shared";
    public static final String CONFLICT = "conflict";

    /** The name for held devices that no slice has any more. */
    public static final String NOT_PUBLISHED = "not published";

    public static final String ALL_NODES = "(all nodes)";
    public static final String SELECTED_NODES = "(some nodes)";
    public static final String NO_NODE = "-";

    public Gpu {
        holdings = List.copyOf(holdings);
        kinds = List.copyOf(kinds);
        left = List.copyOf(left);
    }

    /**
     * A claim that holds a device.
     *
     * @param share the amounts that it consumes of a shared device; empty for a whole device
     * @param notes anything unusual
     */
    public record Holding(String device, HeldClaim claim, Map<String, Quantity> share, List<String> notes) {

        public Holding {
            share = Map.copyOf(share);
            notes = List.copyOf(notes);
        }
    }

    /**
     * Devices whose names differ only in a number.
     *
     * @param kind the name, with {@code *} in place of the number
     * @param devices the number of published devices
     * @param held the number of held devices
     * @param room the number of additional devices that could be allocated at once
     * @param obstacle why there is no room: {@code held}, {@code unhealthy}, {@code tainted}, {@code groups}, the name of the counter that
     *     is short, or {@code both} for groups and counters; empty if there is room
     */
    public record KindRoom(String kind, int devices, int held, Count room, String obstacle) {

        /** Whether devices are free but cannot be allocated because of what is held. */
        public boolean isExcluded() {
            return room.atMost() == 0 && held < devices;
        }
    }

    /**
     * What is left of a counter, or of a capacity of a shared device.
     *
     * @param of the counter set or device
     */
    public record Left(String of, String name, Quantity left, Quantity total) {}

    /**
     * The parts of the hardware.
     *
     * @param sets the counter sets that its devices share; empty for a device without counters
     * @param commonGroups by counter set, the groups that all held devices have; sets without held devices that have groups are omitted
     */
    public record Hardware(List<CounterSet> sets, List<DeviceState> devices, Map<String, Set<String>> commonGroups) {

        /** The value for devices that are not published. */
        static final Hardware UNKNOWN = new Hardware(List.of(), List.of(), Map.of());

        public Hardware {
            sets = List.copyOf(sets);
            devices = List.copyOf(devices);
            commonGroups = Map.copyOf(commonGroups);
        }
    }

    /**
     * A published device.
     *
     * @param obstacle why it cannot be allocated now, as in {@link KindRoom}; empty if it can
     */
    public record DeviceState(Device device, String obstacle) {

        public boolean isAllocatable() {
            return obstacle.isEmpty();
        }
    }

    Gpu with(List<Holding> newHoldings) {
        return new Gpu(node, pool, name, mode, newHoldings, kinds, left, hardware);
    }

    /** The usual name of the hardware, such as {@code gpu-0} for the counter set {@code gpu-0-counter-set}. */
    public String shortName() {
        return Stream.of(name.split("\\+")).map(CounterSet::hardware).collect(Collectors.joining("+"));
    }

    /** The problems of its hardware, such as {@code gpu-lost}, without duplicates; empty if it works. */
    public List<String> unhealthy() {
        return hardware.devices().stream()
                .flatMap(state -> state.device().unhealthyTaint().stream())
                .map(DeviceTaint::shortForm)
                .distinct()
                .toList();
    }

    public boolean isIdle() {
        return mode.equals(IDLE);
    }
}
