package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceCapacity;
import dev.fakegpu.dra.Quantity;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.dra.field.SliceInterner;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.cel.Selectors;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests with random problems that the data that an index keeps about a pool with changing slices never changes an answer. */
class ChangedSlicesTest {

    private static final int PROBLEMS = Integer.getInteger("changed.problems", 400);
    private static final long SEED = Long.getLong("changed.seed", 1);
    private static final int CHANGES = 8;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void anIndexAnswersLikeANewOneOfTheSameSlices(boolean interned) {
        int answers = 0;
        for (long seed = SEED; seed < SEED + PROBLEMS; seed++) {
            RandomProblem problem = RandomProblem.of(seed);
            var random = new Random(seed);
            var slices = new ArrayList<>(problem.state().slices());
            var index = new SliceIndex(slices, problem.options());
            var allocated = new AllocatedDevices(
                    problem.state().allocated(), problem.options().groupPolicy());
            var selectors = new Selectors();
            for (int change = 0; change < CHANGES && !slices.isEmpty(); change++) {
                solve(problem, index, allocated, selectors);
                Slice before = slices.remove(random.nextInt(slices.size()));
                Slice changed = changed(before, random);
                Slice after = interned ? SliceInterner.SHARED.intern(changed) : changed;
                slices.add(after);
                index.replace(before, after);

                Outcome ofNew = solve(problem, new SliceIndex(slices, problem.options()), allocated, new Selectors());
                assertThat(solve(problem, index, allocated, selectors))
                        .as("-Dchanged.problems=1 -Dchanged.seed=" + seed)
                        .isEqualTo(ofNew);
                answers += ofNew instanceof Outcome.Allocated ? 1 : 0;
            }
        }
        assertThat(answers).isGreaterThan(PROBLEMS / 10);
    }

    private static Outcome solve(
            RandomProblem problem, SliceIndex index, AllocatedDevices allocated, Selectors selectors) {
        var context = new AllocationContext(index, problem.classes(), allocated, selectors, problem.options());
        return new Allocator(context).allocate(problem.node(), problem.claims());
    }

    /** With a device that becomes more like another one, is new or gone, or with devices in another order, or only read again. */
    private static Slice changed(Slice slice, Random random) {
        List<Device> devices = new ArrayList<>(slice.devices());
        if (devices.isEmpty()) {
            return slice.withCounterSets(slice.counterSets());
        }
        int place = random.nextInt(devices.size());
        Device other = devices.get(random.nextInt(devices.size()));
        Device device = devices.remove(place);
        switch (random.nextInt(9)) {
            case 0 -> devices.add(place, device.withAttributes(other.attributes()));
            case 1 -> devices.add(place, device.withCapacity(other.capacity()));
            case 2 -> devices.add(place, device.withConsumesCounters(other.consumesCounters()));
            case 3 -> devices.add(place, device.withTaints(List.of()));
            case 4 -> devices.add(device);
            case 5 -> devices.add(place, device.withAllowMultipleAllocations(!device.allowMultipleAllocations()));
            case 6 -> devices.add(place, device.withCapacity(withOneMore(device.capacity())));
            case 7 -> devices.addAll(place, List.of(renamed(device), device));
            default -> {}
        }
        return slice.withDevices(devices);
    }

    private static Device renamed(Device device) {
        return new Device(
                device.name() + "x",
                device.attributes(),
                device.capacity(),
                device.consumesCounters(),
                device.taints(),
                device.allowMultipleAllocations(),
                device.nodes(),
                device.binding(),
                device.nodeAllocatableResources());
    }

    /** Capacities are counted in the order in which a device lists them. */
    private static Map<String, DeviceCapacity> withOneMore(Map<String, DeviceCapacity> capacity) {
        var more = new LinkedHashMap<String, DeviceCapacity>();
        more.put("more", DeviceCapacity.of(Quantity.ONE));
        more.putAll(capacity);
        return more;
    }
}
