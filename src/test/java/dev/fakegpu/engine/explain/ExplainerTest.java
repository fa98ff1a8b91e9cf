package dev.fakegpu.engine.explain;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AllocatedDevice;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.engine.allocate.AllocationContext;
import dev.fakegpu.engine.allocate.NodeInfo;
import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.allocate.SliceIndex;
import dev.fakegpu.engine.allocate.pool.AllocatedDevices;
import dev.fakegpu.engine.allocate.refusal.Refusal;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import dev.fakegpu.engine.explain.finding.Remedy;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainerTest {

    private static ExplainedScenario scenario(String name) throws IOException {
        return ExplainedScenario.read(ExplainerGoldenTest.CASES.resolve(name).resolve("in.yaml"));
    }

    @Test
    void saysThatThereIsNoNode() throws IOException {
        ExplainedScenario scenario = scenario("in-use");
        Explanation explanation = new Explainer(
                        AllocationContext.of(scenario.state(), ExplainedScenario.SELECTORS, scenario.options()))
                .explain(List.of(), scenario.claims());
        assertThat(explanation.reason()).isEqualTo(Reason.NoDevices);
        assertThat(explanation.table()).containsExactly("there is no node to take devices from");
    }

    @Test
    void usesTheContextOfAnAllocator() throws IOException {
        ExplainedScenario scenario = scenario("mixed-obstacles");
        var slices = new SliceIndex(scenario.state().slices(), scenario.options());
        var allocated = new AllocatedDevices(
                scenario.state().allocated(), scenario.options().groupPolicy());
        Explanation explanation = new Explainer(new AllocationContext(
                        slices, scenario.state().classes(), allocated, ExplainedScenario.SELECTORS, scenario.options()))
                .explain(scenario.nodes(), scenario.claims());
        assertThat(explanation).isEqualTo(scenario.explain());
    }

    @Tag("long")
    @Test
    void explainsTenThousandDevicesInAFewLines() throws IOException {
        for (String name : List.of("ten-thousand-in-use", "ten-thousand-counters", "ten-thousand-hopeless")) {
            ExplainedScenario scenario = scenario(name);
            assertThat(scenario.explain().table()).as(name).hasSizeLessThan(20);
        }
    }

    @Test
    void saysThatItTakesTooLong() throws IOException {
        ExplainedScenario scenario = scenario("in-use");
        var context = AllocationContext.of(scenario.state(), ExplainedScenario.SELECTORS, scenario.options());

        Explanation explanation = new Explainer(context, SearchLimit.cancelledBy(() -> true))
                .explain(scenario.nodes(), scenario.claims());

        assertThat(explanation.reason()).isEqualTo(Reason.Undecided);
        assertThat(explanation.sentence())
                .isEqualTo("evaluating the selectors takes too long to say which devices fit");
    }

    @Test
    void reportsFindingsWithoutTimeToCheckWhetherTheClaimNeverFits() throws IOException {
        ExplainedScenario scenario = scenario("never-same-root");
        List<Explanation> inTime = IntStream.range(0, 500)
                .mapToObj(questions -> explainWithin(scenario, questions))
                .filter(explanation -> explanation.reason() != Reason.Undecided)
                .toList();

        assertThat(inTime).anyMatch(Explanation::neverFits).anyMatch(explanation -> !explanation.neverFits());
    }

    private static Explanation explainWithin(ExplainedScenario scenario, int questions) {
        var context = AllocationContext.of(scenario.state(), ExplainedScenario.SELECTORS, scenario.options());
        var asked = new AtomicInteger();
        return new Explainer(context, SearchLimit.cancelledBy(() -> asked.incrementAndGet() > questions))
                .explain(scenario.nodes(), scenario.claims());
    }

    @Test
    void omitsClausesThatDoNotFit() throws IOException {
        Explanation explanation = scenario("several-nodes").explain();
        String whole = explanation.sentence();

        String shorter = explanation.sentence(NameScope.all(), whole.length() - 1);

        assertThat(whole).startsWith(shorter);
        assertThat(whole.charAt(shorter.length())).isEqualTo(';');
        assertThat(explanation.sentence(NameScope.all(), 20)).hasSize(20).endsWith("...");
    }

    @Test
    void namesTheClaimToRelease() throws IOException {
        assertThat(scenario("counters-exhausted").explain().remedy())
                .isEqualTo(new Remedy.Release(List.of(new ClaimRef("default", "a", "a"))));
    }

    @Test
    void claimsOfTheOwnGangAreNotReleased() throws IOException {
        ExplainedScenario scenario = scenario("in-use");
        Set<ClaimRef> holders = scenario.state().allocated().stream()
                .map(AllocatedDevice::holder)
                .collect(Collectors.toSet());
        Explanation explanation = new Explainer(
                        AllocationContext.of(scenario.state(), ExplainedScenario.SELECTORS, scenario.options()))
                .keeping(holders)
                .explain(scenario.nodes(), scenario.claims());

        assertThat(explanation.remedy()).isEqualTo(new Remedy.AddDevices());
        assertThat(explanation.toRelease()).isEmpty();
        assertThat(explanation.hasRelease()).as("changes when holders end").isTrue();
    }

    /** Such a node is often like one on which only devices of the gang's own pods would help. */
    @Test
    void noMoreDevicesAreNeededIfAnyNodeCouldBeFreed(@TempDir Path directory) throws IOException {
        assertThat(remedyFor2Of2(directory, Map.of("own-1", 1, "b", 1, "c", 2, "d", 2)))
                .isEqualTo(release("c", "d"));
        assertThat(remedyFor2Of2(directory, Map.of("own-1", 1, "own-2", 1, "a", 2, "b", 2)))
                .isEqualTo(release("a", "b"));
        assertThat(remedyFor2Of2(directory, Map.of("own-1", 1, "a", 1, "own-2", 2, "b", 2)))
                .isEqualTo(new Remedy.AddDevices());
        assertThat(remedyFor2Of2(directory, Map.of("own-1", 1, "a", 1, "own-2", 2, "b", 2, "c", 3, "own-3", 3, "d", 3)))
                .as("one more device on the third node")
                .isEqualTo(release("c", "d"));
    }

    /** The first nodes have so many devices that the last one is not inspected. */
    @Test
    void noMoreDevicesAreNeededUnlessAllNodesWereInspected(@TempDir Path directory) throws IOException {
        assertThat(remedyAmong(3, directory)).isEqualTo(release("a", "b"));
        assertThat(remedyAmong(500, directory)).isNull();
    }

    /** @param nodes the gang's own claims hold the devices of all but the last one */
    private static @Nullable Remedy remedyAmong(int nodes, Path directory) throws IOException {
        var held = new TreeMap<>(Map.of("a", nodes, "b", nodes));
        for (int node = 1; node < nodes; node++) {
            held.put("own-" + node, node);
            held.put("own-other-" + node, node);
        }
        String others = IntStream.range(0, 8).mapToObj("""
                ---
                kind: ResourceSlice
                metadata: {name: others-%1$d}
                spec:
                  driver: other.example.com
                  pool: {name: others-%1$d, generation: 1, resourceSliceCount: 1}
                  allNodes: true
                  devices: [{name: 'other-<i>', repeat: 128}]
                """::formatted).collect(Collectors.joining());
        return remedyFor2Of2(directory, held, others);
    }

    private static Remedy release(String... claims) {
        return new Remedy.Release(Stream.of(claims)
                .map(claim -> new ClaimRef("default", claim, claim))
                .toList());
    }

    /** @param held the number of the node on which each claim holds one device; those of the gang are called {@code own-...} */
    private static @Nullable Remedy remedyFor2Of2(Path directory, Map<String, Integer> held) throws IOException {
        return remedyFor2Of2(directory, held, "");
    }

    private static @Nullable Remedy remedyFor2Of2(Path directory, Map<String, Integer> held, String others)
            throws IOException {
        var yaml = new StringBuilder("""
                kind: DeviceClass
                metadata: {name: gpu.example.com}
                spec: {selectors: [{cel: {expression: 'device.driver == "gpu.example.com"'}}]}
                ---
                kind: ResourceClaim
                metadata: {name: wants}
                spec: {devices: {requests: [{name: gpu, exactly: {deviceClassName: gpu.example.com, count: 2}}]}}
                """);
        var nodes = new TreeMap<Integer, Integer>();
        new TreeMap<>(held)
                .forEach((claim, node) ->
                        yaml.append("""
                ---
                kind: ResourceClaim
                metadata: {name: %1$s}
                spec: {}
                status: {allocation: {devices: {results: [{request: gpu, driver: gpu.example.com, pool: node-%2$d, device: gpu-%3$d}]}}}
                """.formatted(claim, node, nodes.merge(node, 1, Integer::sum) - 1)));
        nodes.forEach((node, devices) -> yaml.append("""
                ---
                kind: ResourceSlice
                metadata: {name: slice-%1$d}
                spec:
                  driver: gpu.example.com
                  pool: {name: node-%1$d, generation: 1, resourceSliceCount: 1}
                  nodeName: node-%1$d
                  devices: [{name: 'gpu-<i>', repeat: %2$d}]
                """.formatted(node, devices)));
        yaml.append(others);
        ExplainedScenario scenario =
                ExplainedScenario.read(Files.writeString(directory.resolve("in.yaml"), yaml.toString()));
        return new Explainer(AllocationContext.of(scenario.state(), ExplainedScenario.SELECTORS, scenario.options()))
                .keeping(scenario.state().allocated().stream()
                        .map(AllocatedDevice::holder)
                        .filter(claim -> claim.name().startsWith("own-"))
                        .collect(Collectors.toSet()))
                .explain(
                        nodes.keySet().stream()
                                .map(node -> new NodeInfo("node-" + node, Map.of()))
                                .toList(),
                        scenario.claims())
                .remedy();
    }

    @Test
    void aDriverWhoseDevicesAnotherAllocatorHasIsNotMissing() throws IOException {
        ExplainedScenario scenario = scenario("driver-missing");
        var context = AllocationContext.of(scenario.state(), ExplainedScenario.SELECTORS, scenario.options());
        var node3 = new NodeInfo("node-3", Map.of());
        var nodes = List.of(scenario.nodes().get(0), node3);
        var others = new OtherDevices(
                "KubeScheduler",
                node -> new TreeMap<>(node.equals(node3) ? Map.of("other", "gaudi.intel.com") : Map.of()));

        assertThat(explain(context, nodes, OtherDevices.NONE, scenario.claims()))
                .contains("no device is of class \"gaudi\", because none has driver gaudi.intel.com");
        assertThat(explain(context, nodes, others, scenario.claims()))
                .contains("no device is of class \"gaudi\"")
                .doesNotContain("because");
    }

    private static String explain(
            AllocationContext context, List<NodeInfo> nodes, OtherDevices others, List<Claim> claims) {
        return new Explainer(context, SearchLimit.none(), PendingChanges.NONE, others)
                .explain(nodes, claims)
                .sentence();
    }

    @Test
    void sentencesForAnotherNamespaceDoNotNameHolders() throws IOException {
        int unnamed = 0;
        for (Path directory : smallCases()) {
            ExplainedScenario scenario = ExplainedScenario.read(directory.resolve("in.yaml"));
            String sentence = scenario.explain().sentence(new NameScope("elsewhere"));
            assertThat(scenario.state().allocated())
                    .allSatisfy(held -> assertThat(sentence)
                            .as(directory.toString())
                            .doesNotContain(held.holder().toString()));
            unnamed += sentence.contains("a claim of another namespace (uid ") ? 1 : 0;
        }
        assertThat(unnamed).isGreaterThan(20);
    }

    /** All cases except those that only test sizes. */
    private static List<Path> smallCases() throws IOException {
        return ExplainerGoldenTest.cases().stream()
                .filter(directory -> !String.valueOf(directory.getFileName()).startsWith("ten-thousand"))
                .toList();
    }

    @Test
    void scenariosCoverEveryRefusalAndEveryReason() throws IOException {
        Set<Class<?>> refusals = new HashSet<>();
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        for (Path directory : smallCases()) {
            Explanation explanation =
                    ExplainedScenario.read(directory.resolve("in.yaml")).explain();
            reasons.add(explanation.reason());
            explanation.findings().stream()
                    .flatMap(finding -> finding.stopped().stream())
                    .flatMap(stopped -> stopped.examples().stream())
                    .forEach(example -> refusals.add(example.refusal().getClass()));
            explanation.findings().stream()
                    .flatMap(finding -> finding.others().stream())
                    .forEach(other -> reasons.add(other.reason()));
        }
        assertThat(refusals).contains(Refusal.class.getPermittedSubclasses());
        assertThat(reasons).containsExactlyInAnyOrder(Reason.values());
    }
}
