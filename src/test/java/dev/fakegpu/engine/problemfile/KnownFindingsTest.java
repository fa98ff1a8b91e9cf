package dev.fakegpu.engine.problemfile;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.engine.allocate.SearchLimit;
import dev.fakegpu.engine.cel.Selectors;
import dev.fakegpu.engine.explain.Explainer;
import dev.fakegpu.engine.explain.KnownFindings;
import dev.fakegpu.engine.explain.finding.Explanation;
import dev.fakegpu.engine.explain.finding.Finding;
import dev.fakegpu.engine.explain.finding.NameScope;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Regardless of what changes between explanations and where they are interrupted, each explanation must equal one from scratch. */
class KnownFindingsTest {

    private static final int CLUSTERS = Integer.getInteger("explained.clusters", 40);
    private static final long SEED = Long.getLong("explained.seed", 11_000_000);
    private static final int CHANGES = 20;

    private final Selectors selectors = new Selectors();
    private final Set<Reason> seen = EnumSet.noneOf(Reason.class);
    private final Map<String, Integer> ways = new HashMap<>();

    @Test
    void keptFindingsEqualNewOnes() throws Exception {
        for (int i = 0; i < CLUSTERS; i++) {
            var cluster = new ChangingCluster(SEED + i, selectors);
            var random = new Random(SEED + i);
            var known = new KnownFindings();
            for (int change = 0; change <= CHANGES; change++) {
                interrupt(random.nextInt(3), cluster, known, random);
                check("cluster " + i + ", change " + change, cluster, known);
                cluster.change();
            }
        }
        assertThat(seen).hasSizeGreaterThan(10);
        assertThat(ways).containsKeys("remedy", "never", "neither");
    }

    /** Changes nothing else in between, because then nodes would be inspected again anyway. */
    @Test
    void noticesChangesOutsideOfSlicesAndAllocations() throws Exception {
        for (int i = 0; i < CLUSTERS; i++) {
            var cluster = new ChangingCluster(SEED + i, selectors);
            var known = new KnownFindings();
            check("cluster " + i, cluster, known);
            cluster.defer();
            check("cluster " + i + " with deferred changes", cluster, known);
            cluster.changeWhatIsDeferred();
            check("cluster " + i + " with other deferred changes", cluster, known);
            cluster.removeDevices(); // only then are devices of other drivers reported
            check("cluster " + i + " without devices", cluster, known);
            cluster.changeOthers();
            check("cluster " + i + " with devices of others", cluster, known);
        }
    }

    private static void interrupt(int times, ChangingCluster cluster, KnownFindings known, Random random) {
        for (int i = 0; i < times; i++) {
            int questions = random.nextInt(60);
            var asked = new AtomicInteger();
            explain(cluster, SearchLimit.cancelledBy(() -> asked.incrementAndGet() > questions), known);
        }
    }

    private void check(String when, ChangingCluster cluster, KnownFindings known) {
        Explanation expected = new Explainer(cluster.fresh(), SearchLimit.none(), cluster.pending(), cluster.others())
                .explain(cluster.nodes(), cluster.claims());

        Explanation explanation = explain(cluster, SearchLimit.none(), known);

        assertThat(explanation.sentence()).as(when).isEqualTo(expected.sentence());
        assertThat(explanation.sentence(new NameScope("elsewhere"), 200))
                .as(when)
                .isEqualTo(expected.sentence(new NameScope("elsewhere"), 200));
        assertThat(explanation.reason()).as(when).isEqualTo(expected.reason());
        assertThat(explanation.remedy()).as(when).isEqualTo(expected.remedy());
        assertThat(explanation.findings().stream().map(KnownFindingsTest::brief))
                .as(when)
                .containsExactlyElementsOf(expected.findings().stream()
                        .map(KnownFindingsTest::brief)
                        .toList());
        seen.add(explanation.reason());
        ways.merge(
                explanation.remedy() != null ? "remedy" : explanation.neverFits() ? "never" : "neither",
                1,
                Integer::sum);
    }

    /** The finding without further examples. */
    private static List<Object> brief(Finding finding) {
        return Arrays.asList(
                finding.node(),
                finding.resultName(),
                finding.wanted(),
                finding.found(),
                finding.alongside(),
                finding.stopped().stream()
                        .map(each -> List.of(each.reason(), each.devices(), each.ways(), each.examples()))
                        .toList(),
                finding.blockers(),
                finding.taints(),
                finding.pools(),
                finding.problem(),
                finding.isExhaustive());
    }

    private static Explanation explain(ChangingCluster cluster, SearchLimit limit, KnownFindings known) {
        return new Explainer(cluster.context(), limit, cluster.pending(), cluster.others(), known)
                .explain(cluster.nodes(), cluster.claims());
    }
}
