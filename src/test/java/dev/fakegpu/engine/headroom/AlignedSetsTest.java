package dev.fakegpu.engine.headroom;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceConstraint;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Tests claims whose requests must agree on attributes, such as a GPU and a NIC on one PCIe root, on small random nodes. */
class AlignedSetsTest {

    /** The profile {@code -Pall} sets a larger number. */
    private static final int NODES = Integer.getInteger("headroom.pools", 400);

    private static final List<String> KINDS = List.of("gpu", "nic", "cpu");
    private static final String DOMAIN = "gpu.example.com/";

    @Test
    void countsAsManySetsAsBruteForceFinds() {
        int several = 0;
        for (long seed = 0; seed < NODES; seed++) {
            RandomPools pools = new Maker(new Random(seed * 6007 + 5)).make();
            long most = new Sets(pools).most();

            Room room = new Headroom(pools.context()).of(List.of(RandomPools.NODES.get(0)), List.of(pools.claim()));

            assertThat(room.atOnce()).as("node %s", seed).isEqualTo(Count.exactly(most));
            several += most > 1 ? 1 : 0;
        }
        assertThat(several).isGreaterThan(NODES / 50);
    }

    /** Makes random nodes and claims. */
    private record Maker(Random random) {

        RandomPools make() {
            List<Device> devices = IntStream.range(0, 3 + random.nextInt(7))
                    .mapToObj(this::device)
                    .toList();
            List<AllocatedDevice> held = devices.stream()
                    .filter(device -> random.nextInt(5) == 0)
                    .map(device -> new AllocatedDevice(
                            RandomPools.POOL.device(device.name()), ref("holder-of-" + device.name()), null, null))
                    .toList();
            return new RandomPools(List.of(), devices, held, claim(), GroupsGate.ON);
        }

        private static ClaimRef ref(String name) {
            return new ClaimRef("default", name, name);
        }

        private Device device(int number) {
            var attributes = new HashMap<String, AttributeValue>();
            attributes.put("kind", AttributeValue.of(KINDS.get(random.nextInt(KINDS.size()))));
            if (random.nextInt(8) > 0) {
                attributes.put("root", random.nextInt(4) > 0 ? root() : roots());
            }
            attributes.put("numa", AttributeValue.of((long) random.nextInt(2)));
            return new Device("device-" + number, attributes, Map.of(), List.of(), List.of())
                    .withNodes(new NodeSelection.AllNodes());
        }

        private AttributeValue root() {
            return AttributeValue.of("r" + random.nextInt(3));
        }

        private AttributeValue roots() {
            return AttributeValue.strings(random.nextBoolean() ? List.of("r0", "r1") : List.of("r1", "r2"));
        }

        private Claim claim() {
            List<String> kinds = KINDS.subList(0, 2 + random.nextInt(2));
            List<DeviceRequest> requests = kinds.stream()
                    .map(kind -> DeviceRequest.exactly(
                            kind,
                            "gpu",
                            List.of("device.attributes['gpu.example.com'].kind == '" + kind + "'"),
                            random.nextInt(4) == 0 ? 2 : 1,
                            List.of()))
                    .toList();
            var constraints = new ArrayList<DeviceConstraint>();
            constraints.add(new DeviceConstraint(
                    random.nextBoolean() ? List.of() : List.of("gpu", "nic"), DOMAIN + "root", null));
            if (random.nextInt(3) == 0) {
                constraints.add(new DeviceConstraint(List.of(), DOMAIN + "numa", null));
            }
            return new Claim(ref("wanted"), requests, constraints, List.of());
        }
    }

    /** Lists every set of devices that satisfies the claim, and finds how many of them are disjoint. */
    private static final class Sets {
        private final RandomPools pools;
        private final Set<Integer> sets = new HashSet<>();
        private final Map<Integer, Long> known = new HashMap<>();

        Sets(RandomPools pools) {
            this.pools = pools;
            collect(wanted(), 0, new ArrayList<>());
        }

        /** The requests, each repeated for the number of devices that it needs. */
        private List<String> wanted() {
            return pools.claim().requests().stream()
                    .flatMap(request -> Stream.generate(request::name)
                            .limit(request.exactly().count()))
                    .toList();
        }

        private void collect(List<String> wanted, int mask, List<Integer> chosen) {
            if (chosen.size() == wanted.size()) {
                if (pools.claim().constraints().stream().allMatch(each -> isMet(each, wanted, chosen))) {
                    sets.add(mask);
                }
                return;
            }
            for (int i = 0; i < pools.devices().size(); i++) {
                if ((mask & 1 << i) == 0 && isFree(i) && value(i, "kind").equals(Set.of(wanted.get(chosen.size())))) {
                    chosen.add(i);
                    collect(wanted, mask | 1 << i, chosen);
                    chosen.remove(chosen.size() - 1);
                }
            }
        }

        private boolean isFree(int device) {
            String name = pools.devices().get(device).name();
            return pools.held().stream().noneMatch(held -> held.id().device().equals(name));
        }

        private boolean isMet(DeviceConstraint constraint, List<String> wanted, List<Integer> chosen) {
            String name = constraint.matchAttribute().substring(DOMAIN.length());
            Set<String> common = null;
            for (int i = 0; i < chosen.size(); i++) {
                if (constraint.requests().isEmpty() || constraint.requests().contains(wanted.get(i))) {
                    Set<String> values = value(chosen.get(i), name);
                    if (common == null) {
                        common = values;
                    } else {
                        common.retainAll(values);
                    }
                }
            }
            return common != null && !common.isEmpty();
        }

        private Set<String> value(int device, String name) {
            AttributeValue value = pools.devices().get(device).attributes().get(name);
            Stream<AttributeValue> values =
                    value instanceof AttributeValue.ListValue list ? list.values().stream() : Stream.ofNullable(value);
            var texts = new HashSet<String>();
            values.forEach(each -> texts.add(each.toString()));
            return texts;
        }

        long most() {
            return most(0);
        }

        private long most(int used) {
            Long before = known.get(used);
            if (before != null) {
                return before;
            }
            long most = 0;
            for (int set : sets) {
                if ((set & used) == 0) {
                    most = Math.max(most, 1 + most(used | set));
                }
            }
            known.put(used, most);
            return most;
        }
    }
}
