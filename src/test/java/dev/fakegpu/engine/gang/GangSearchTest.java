package dev.fakegpu.engine.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.Device;
import dev.fakegpu.dra.DeviceClass;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.NodeSelection;
import dev.fakegpu.dra.PoolId;
import dev.fakegpu.dra.Slice;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.AllocatorOptions;
import dev.fakegpu.engine.allocate.ClusterState;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.engine.cel.Selectors;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntUnaryOperator;
import java.util.function.LongFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class GangSearchTest {

    private static final int GANGS = Integer.getInteger("gangs.problems", 5_000);
    private static final int STEPS = 100_000;
    private static final Map<String, DeviceClass> CLASSES = Map.of(
            "gpu", new DeviceClass("gpu", List.of("device.driver == 'gpu.example.com'"), List.of()),
            "last", new DeviceClass("last", List.of("device.attributes['gpu.example.com'].number == 3"), List.of()));

    /** The search places as many members as brute force if these are enough, and none otherwise. */
    @Test
    void placesAsManyAsPossibleOrNone() {
        compare(RandomGang::of);
    }

    @Test
    void placesAsManyAsPossibleOrNoneIfNodesShareDevices() {
        compare(RandomGang::withDevicesOfAllNodes);
    }

    private static void compare(LongFunction<RandomGang> random) {
        int placed = 0;
        int notSimple = 0;
        for (long seed = 0; seed < GANGS; seed++) {
            RandomGang gang = random.apply(seed);
            int most = GangBruteForce.most(gang);
            GangOutcome outcome = GangSearch.place(gang.problem(), SearchLimit.none(), STEPS);
            boolean isEnough = most >= gang.problem().atLeast();

            assertThat(outcome)
                    .as("seed %s", seed)
                    .isInstanceOf(isEnough ? GangOutcome.Placed.class : GangOutcome.NotPlaced.class);
            GangOutcome.Places places =
                    outcome instanceof GangOutcome.Placed all ? all.places() : ((GangOutcome.NotPlaced) outcome).some();
            assertThat(GangBruteForce.mistakes(gang, places))
                    .as("seed %s", seed)
                    .isEmpty();
            if (isEnough) {
                placed++;
                assertThat(places.nodes()).as("seed %s", seed).hasSize(most);
            }
            notSimple += most < gang.problem().members().size() ? 1 : 0;
        }
        assertThat(placed).isBetween(GANGS / 4, GANGS * 9 / 10);
        assertThat(notSimple).isGreaterThan(GANGS / 5);
        System.out.printf(
                "GangSearchTest: %d gangs, %d of them placed, as many pods of each as brute force places%n",
                GANGS, placed);
    }

    /** The first pod takes the only node that fits the second one. */
    @Test
    void aMemberMakesRoomForOneThatFitsNowhereElse() {
        GangProblem picky = problem(2, 1, List.of("gpu", "last"), 2, Optional.empty(), node -> node == 0 ? 3 : 1);
        assertThat(((GangOutcome.Placed) GangSearch.place(picky, SearchLimit.none(), STEPS))
                        .places()
                        .nodes())
                .containsEntry(0, "node-1")
                .containsEntry(1, "node-0");
    }

    @Test
    void aGangThatDoesNotFitLeavesNothing() {
        GangOutcome outcome = GangSearch.place(
                problem(3, 1, List.of("gpu", "gpu", "gpu", "gpu"), 4, Optional.empty(), node -> 1),
                SearchLimit.none(),
                STEPS);

        assertThat(((GangOutcome.NotPlaced) outcome).some().nodes()).hasSize(3);
    }

    @Test
    void anErrorIsThatOfTheMemberWithTheClaim() {
        GangProblem misspelt = problem(3, 1, List.of("gpu", "gpuu", "gpu"), 3, Optional.empty(), node -> 1);

        assertThat(GangSearch.place(misspelt, SearchLimit.none(), STEPS))
                .isInstanceOfSatisfying(
                        GangOutcome.Failed.class,
                        failed -> assertThat(failed.member()).isEqualTo(1));
    }

    @Test
    void enoughMembersArePlaced() {
        GangOutcome outcome = GangSearch.place(
                problem(3, 1, List.of("gpu", "gpu", "gpu", "gpu"), 2, Optional.empty(), node -> 1),
                SearchLimit.none(),
                STEPS);

        assertThat(((GangOutcome.Placed) outcome).places().nodes()).hasSize(3);
    }

    /** node-0 and node-1 are in different racks. */
    @Test
    void allMembersAreInOneDomain() {
        GangProblem two = problem(2, 1, List.of("gpu", "gpu"), 2, Optional.of("kubernetes.io/hostname"), node -> 1);

        assertThat(GangSearch.place(two, SearchLimit.none(), STEPS)).isInstanceOf(GangOutcome.NotPlaced.class);
        GangProblem larger = problem(2, 2, List.of("gpu", "gpu"), 2, Optional.of("kubernetes.io/hostname"), node -> 1);
        assertThat(((GangOutcome.Placed) GangSearch.place(larger, SearchLimit.none(), STEPS))
                        .places()
                        .nodes()
                        .values())
                .containsOnly("node-0");
    }

    @Test
    void aLimitEndsTheSearch() {
        GangProblem problem = problem(2, 1, List.of("gpu", "last"), 2, Optional.empty(), node -> node == 0 ? 3 : 1);

        assertThat(GangSearch.place(problem, SearchLimit.none(), 1))
                .isEqualTo(new GangOutcome.Aborted("gave up after 1 attempts to put a pod on a node"));
        assertThat(GangSearch.place(problem, SearchLimit.cancelledBy(() -> true), STEPS))
                .isInstanceOfSatisfying(
                        GangOutcome.Aborted.class,
                        aborted -> assertThat(aborted.message()).startsWith("cancelled"));
    }

    /** Tests 250 nodes with four GPUs: one gang that needs all of them, and one that has one pod too many. */
    @Test
    void largeGangsAreDecided() {
        List<String> thousand =
                IntStream.range(0, 1_000).mapToObj(number -> "gpu").toList();
        GangProblem fits = problem(250, 4, thousand, 1_000, Optional.empty(), node -> 1);
        List<String> more = IntStream.range(0, 1_001).mapToObj(number -> "gpu").toList();
        GangProblem tooLarge = problem(250, 4, more, 1_001, Optional.empty(), node -> 1);

        long begun = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(((GangOutcome.Placed) GangSearch.place(fits, SearchLimit.none(), STEPS))
                        .places()
                        .nodes())
                .hasSize(1_000);
        long placed = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        assertThat(((GangOutcome.NotPlaced) GangSearch.place(tooLarge, SearchLimit.none(), STEPS))
                        .some()
                        .nodes())
                .hasSize(1_000);
        long refused = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        System.out.printf(
                "1,000 pods on 250 nodes: placed in %d ms, one more refused in %d ms of processor time%n",
                (placed - begun) / 1_000_000, (refused - placed) / 1_000_000);
    }

    /** @param number an attribute of the GPUs of a node */
    private static GangProblem problem(
            int nodes,
            int gpus,
            List<String> classes,
            int atLeast,
            Optional<String> topology,
            IntUnaryOperator number) {
        List<Slice> slices = IntStream.range(0, nodes)
                .mapToObj(node -> new Slice(
                        "slice-" + node,
                        new PoolId("gpu.example.com", "node-" + node),
                        1,
                        1,
                        new NodeSelection.NodeName("node-" + node),
                        List.of(),
                        IntStream.range(0, gpus)
                                .mapToObj(gpu -> new Device(
                                        "gpu-" + gpu,
                                        Map.of("number", AttributeValue.of(number.applyAsInt(node))),
                                        Map.of(),
                                        List.of(),
                                        List.of()))
                                .toList()))
                .toList();
        List<NodeInfo> infos = IntStream.range(0, nodes)
                .mapToObj(node -> new NodeInfo("node-" + node, Map.of("kubernetes.io/hostname", "node-" + node)))
                .toList();
        List<GangProblem.Member> members = IntStream.range(0, classes.size())
                .mapToObj(member -> {
                    List<Claim> claims = List.of(new Claim(
                            new ClaimRef("team", "claim-" + member, "claim-" + member),
                            List.of(DeviceRequest.exactly("r", classes.get(member), List.of(), 1, List.of())),
                            List.of(),
                            List.of()));
                    return new GangProblem.Member(classes.get(member), node -> claims);
                })
                .toList();
        var context = AllocationContext.of(
                new ClusterState(slices, CLASSES, List.of()),
                new Selectors(),
                new AllocatorOptions(GroupsGate.ON, GroupPolicy.SNAPSHOT, List.of()));
        return new GangProblem(context, infos, members, atLeast, topology, (member, node, beside) -> true);
    }
}
