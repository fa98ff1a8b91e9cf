package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.dashboard.Dashboard;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.GpuView;
import dev.fakegpu.dashboard.server.Visibility.Namespaces;
import dev.fakegpu.dra.wire.NodeAllocatableUses;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.testing.ClusterYaml;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaimBuilder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class WithheldNamesTest {

    private static final Visibility TEAM_ONLY =
            new Visibility(new Namespaces(false, Set.of("team")), new Namespaces(false, Set.of("team")), false);

    private static ClusterObjects cluster() {
        var cluster = new SmallCluster()
                .running("train", "part-0")
                .prepared("train", "part-0", "PrepareFailed", "held for secret/other")
                .waiting("big", "whole");
        cluster.add(List.of(new NamespaceBuilder()
                .withNewMetadata()
                .withName("team")
                .withUid("Namespace-team")
                .endMetadata()
                .build()));
        cluster.add(ClusterYaml.objects("""
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: drain-for-payroll}
                spec: {deviceSelector: {driver: gpu.example.com, device: part-1}, taint: {key: example.com/drain, effect: NoSchedule}}
                """));
        return ClusterObjects.of(cluster.objects().all().stream()
                .map(WithheldNamesTest::withRealUids)
                .toList());
    }

    /** Replaces the UIDs of tests, which contain the names. */
    private static HasMetadata withRealUids(HasMetadata object) {
        object.getMetadata().setUid(uid(object.getMetadata().getUid()));
        if (object instanceof ResourceClaim claim && claim.getStatus() != null) {
            claim.getStatus().getReservedFor().forEach(consumer -> consumer.setUid(uid(consumer.getUid())));
        }
        return object;
    }

    private static String uid(String uid) {
        return UUID.nameUUIDFromBytes(uid.getBytes(StandardCharsets.UTF_8)).toString();
    }

    private static Dashboard picture(ClusterObjects objects) {
        return new DashboardReader("cluster", PendingChanges.NONE).read(objects);
    }

    private static GpuView.HoldingView holding(Dashboard dashboard) {
        return dashboard.nodes().get(0).gpus().get(0).holdings().get(0);
    }

    @Test
    void withoutNamesThePictureShowsHeldDevicesButNotTheirHolders() {
        Dashboard dashboard = picture(new WithheldNames(Visibility.NO_NAMES).withhold(cluster()));

        assertThat(DashboardFeed.json(dashboard)).doesNotContain("team", "train", "big", "secret", "payroll");
        GpuView gpu = dashboard.nodes().get(0).gpus().get(0);
        assertThat(gpu.mode()).isEqualTo("parts");
        assertThat(holding(dashboard).claim())
                .matches("\\(namespace [0-9a-f]{8}-[0-9a-f]{4}\\)/\\(claim [0-9a-f]{8}-[0-9a-f]{4}\\)");
        assertThat(holding(dashboard).prepared()).isEqualTo("failed");
        assertThat(holding(dashboard).problem()).isEqualTo(NameReplacements.MESSAGE);
        assertThat(gpu.marks()).extracting(GpuView.Mark::text).anyMatch(text -> text.contains("(rule "));
        WaitingView waiting = dashboard.waiting().get(0);
        assertThat(waiting.code()).isEqualTo("DevicesIncompatible");
        assertThat(waiting.sentence()).startsWith("what it asks for");
        assertThat(waiting.refused()).isEmpty();
        assertThat(waiting.classes()).isEmpty();
        assertThat(holding(dashboard).classes()).isEmpty();
        assertThat(waiting.inTheWay())
                .extracting(Dashboard.Holder::claim)
                .containsExactly(holding(dashboard).claim());
        assertThat(waiting.waysOut().get(0).releases())
                .containsExactly(holding(dashboard).claim());
    }

    @Test
    void inNamespacesThatTheCallerMayReadNothingChanges() {
        ClusterObjects objects = cluster();

        Dashboard dashboard = picture(new WithheldNames(TEAM_ONLY).withhold(objects));

        assertThat(dashboard.waiting()).isEqualTo(picture(objects).waiting());
        assertThat(holding(dashboard)).isEqualTo(holding(picture(objects)));
        assertThat(DashboardFeed.json(dashboard)).doesNotContain("payroll");
        assertThat(new WithheldNames(Visibility.EVERYTHING).withhold(objects)).isSameAs(objects);
    }

    /** The notes quote the values, which only those may see who may read the object. */
    @Test
    void unreadableFieldsOfEveryKindAreMentionedWithoutTheirValues() {
        var all = new ArrayList<>(cluster().all());
        all.addAll(ClusterYaml.objects("""
                apiVersion: resource.k8s.io/v1
                kind: ResourceClaimTemplate
                metadata: {namespace: team, name: small}
                spec: {spec: {devices: {requests: [{name: r, exactly: {deviceClassName: part}}]}}}
                ---
                apiVersion: v1
                kind: ResourceQuota
                metadata: {namespace: team, name: team-quota}
                ---
                apiVersion: v1
                kind: LimitRange
                metadata: {namespace: team, name: team-limits}
                ---
                apiVersion: policy/v1
                kind: PodDisruptionBudget
                metadata: {namespace: team, name: team-budget}
                """));
        all.forEach(WithheldNamesTest::withRealUids);
        List<String> ofTenants = List.of(
                "Pod",
                "ResourceClaim",
                "ResourceClaimTemplate",
                "Namespace",
                "ResourceQuota",
                "LimitRange",
                "PodDisruptionBudget");
        List<String> kinds =
                Stream.concat(ofTenants.stream(), Stream.of("DeviceTaintRule")).toList();
        all.stream()
                .filter(object -> kinds.contains(object.getKind()))
                .forEach(object -> object.getMetadata()
                        .getAdditionalProperties()
                        .put("fakegpu.dev/unreadable-fields", "field spec.x cannot be read: \"salary\""));
        ClusterObjects objects = ClusterObjects.of(all);

        List<String> withheld = notes(Visibility.NO_NAMES, objects);

        assertThat(withheld).noneMatch(note -> note.contains("salary") || note.contains("team"));
        assertThat(kinds)
                .allSatisfy(kind -> assertThat(withheld)
                        .anyMatch(note -> note.matches(kind + " \\(.*\\): " + NameReplacements.UNREADABLE)));
        assertThat(notes(TEAM_ONLY, objects))
                .filteredOn(note -> note.contains("salary"))
                .extracting(note -> note.split(" ")[0])
                .containsOnlyElementsOf(ofTenants);
    }

    private static List<String> notes(Visibility visibility, ClusterObjects objects) {
        return picture(new WithheldNames(visibility).withhold(objects))
                .overview()
                .notes();
    }

    @Test
    void podsAndClaimsAreNamedApart() {
        var podsOnly = new Visibility(new Namespaces(false, Set.of("team")), Namespaces.NONE, false);
        var claimsOnly = new Visibility(Namespaces.NONE, new Namespaces(false, Set.of("team")), false);

        Dashboard withPods = picture(new WithheldNames(podsOnly).withhold(cluster()));
        Dashboard withClaims = picture(new WithheldNames(claimsOnly).withhold(cluster()));

        assertThat(holding(withPods).claim()).startsWith("team/(claim ");
        assertThat(holding(withPods).pods()).containsExactly("train");
        assertThat(withPods.waiting().get(0).id()).isEqualTo("Pod/team/big");
        assertThat(withPods.waiting().get(0).sentence()).startsWith("what it asks for");
        assertThat(holding(withClaims).claim()).isEqualTo("team/train");
        assertThat(holding(withClaims).pods()).singleElement().asString().startsWith("(pod ");
        assertThat(withClaims.waiting().get(0).id()).startsWith("Pod/team/(pod ");
    }

    @Test
    void unchangedObjectsStayTheSame() {
        var names = new WithheldNames(Visibility.NO_NAMES);
        ClusterObjects objects = cluster();

        List<HasMetadata> first = names.withhold(objects).all();
        List<HasMetadata> second = names.withhold(objects).all();

        assertThat(second).hasSameSizeAs(first);
        for (int i = 0; i < first.size(); i++) {
            assertThat(second.get(i)).isSameAs(first.get(i));
        }
    }

    @Test
    void usersOfARecreatedClaimReferToTheNewOne() {
        var names = new WithheldNames(Visibility.NO_NAMES);
        ClusterObjects objects = cluster();
        names.withhold(objects);
        var again = objects.all().stream()
                .map(object -> object instanceof ResourceClaim claim
                                && claim.getMetadata().getName().equals("big")
                        ? withUid(claim, "another")
                        : object)
                .toList();

        ClusterObjects shown = names.withhold(ClusterObjects.of(again));

        assertThat(shown.pods())
                .allSatisfy(pod -> assertThat(shown.claims().stream()
                                .map(claim -> claim.getMetadata().getName()))
                        .contains(pod.getSpec().getResourceClaims().get(0).getResourceClaimName()));
    }

    private static ResourceClaim withUid(ResourceClaim claim, String uid) {
        return new ResourceClaimBuilder(claim)
                .editMetadata()
                .withUid(uid(uid))
                .endMetadata()
                .build();
    }

    @Test
    void reasonsOfTrialsAreWithheldToo() {
        var cluster = new WithheldNames(Visibility.NO_NAMES).withhold(cluster());
        var reader = new DashboardReader("cluster", PendingChanges.NONE);
        String waiting = reader.read(cluster).waiting().get(0).id();
        try (var trials = new Trials(() -> cluster, reader, DraftReader.NONE, Plays.builtIn())) {
            assertThat(trials.release(waiting, List.of()).join().answer())
                    .singleElement()
                    .asString()
                    .matches("pod \\(namespace [^)]+\\)/\\(pod [^)]+\\) would wait");
        }
    }

    /** Tests objects of all kinds, with claims from templates: no name of a tenant may appear anywhere, including in what-if. */
    @Test
    void noNameIsInThePictureOfALargerCluster() throws ExecutionException, InterruptedException {
        try (var live = new ScopedCluster(PlayedCluster.full().live(), Visibility.NO_NAMES)) {
            ClusterObjects objects = PlayedCluster.full().live().objects();
            var reader = new DashboardReader("cluster", PendingChanges.NONE);
            Dashboard dashboard = reader.read(live.objects());
            String json = DashboardFeed.json(dashboard);
            List<String> tried;
            try (var trials = new Trials(live::objects, reader.another(), DraftReader.NONE, Plays.builtIn())) {
                WaitingView waiting = dashboard.waiting().stream()
                        .filter(each -> !each.waysOut().isEmpty())
                        .findFirst()
                        .orElseThrow();
                tried = trials.release(waiting.id(), waiting.waysOut().get(0).releases())
                        .get()
                        .answer();
            }

            assertThat(dashboard.waiting()).isNotEmpty();
            assertThat(String.join(" ", tried)).contains("(namespace ", " would be placed on ");
            assertThat(Stream.of(objects.pods(), objects.claims(), objects.claimTemplates())
                            .flatMap(List::stream)
                            .flatMap(object -> Stream.of(
                                    object.getMetadata().getNamespace(),
                                    object.getMetadata().getName())))
                    .isNotEmpty()
                    .allSatisfy(name -> assertThat(json + tried).doesNotContain("/" + name, name + "/"));
        }
    }

    /** The text about a gang shows the requests of its pods' claims, even if a pod itself has no claims. */
    @Test
    void gangsAreFoundUnderOtherNames() {
        var podsOnly = new Visibility(new Namespaces(false, Set.of("team")), Namespaces.NONE, false);
        ClusterObjects gang = gang();

        Dashboard nothing = picture(new WithheldNames(Visibility.NO_NAMES).withhold(gang));
        Dashboard pods = picture(new WithheldNames(podsOnly).withhold(gang));

        assertThat(picture(gang).waiting()).extracting(WaitingView::code).containsOnly("GangDoesNotFit");
        for (Dashboard dashboard : List.of(nothing, pods)) {
            assertThat(dashboard.waiting())
                    .hasSameSizeAs(picture(gang).waiting())
                    .allSatisfy(waiting -> {
                        assertThat(waiting.code()).isEqualTo("GangDoesNotFit");
                        assertThat(waiting.sentence()).startsWith("what it asks for");
                        assertThat(waiting.podGroup()).isEmpty();
                    });
            assertThat(DashboardFeed.json(dashboard)).doesNotContain("ring");
        }
        assertThat(pods.waiting()).extracting(WaitingView::id).contains("Pod/team/worker-0");
    }

    private static ClusterObjects gang() {
        var cluster = new SmallCluster().waiting("worker-0", "whole").waiting("worker-1", "whole");
        cluster.add(ClusterYaml.objects("""
                apiVersion: scheduling.k8s.io/v1beta1
                kind: PodGroup
                metadata: {namespace: team, name: ring}
                spec: {schedulingPolicy: {gang: {minCount: 3}}}
                ---
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: launcher}
                spec: {schedulerName: default-scheduler, containers: [{name: c, image: x}]}
                """));
        cluster.add(cluster.objects().pods().stream()
                .<HasMetadata>map(pod -> new PodBuilder(pod)
                        .editSpec()
                        .withNewSchedulingGroup("ring")
                        .endSpec()
                        .build())
                .toList());
        return ClusterObjects.of(cluster.objects().all().stream()
                .map(WithheldNamesTest::withRealUids)
                .toList());
    }

    @Test
    void claimsWhoseDevicesTakeOfTheNodeAreNotNamed() {
        var cluster = new SmallCluster().running("train", "part-0");
        cluster.add(ClusterYaml.objects("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: team, name: train}
                spec: {nodeName: node-1, containers: [{name: c, image: x}], resourceClaims: [{name: r, resourceClaimName: train}]}
                status:
                  nodeAllocatableResourceClaimStatuses:
                  - {resourceClaimName: train, containers: [c], mapping: [{name: cpu, quantity: "4"}]}
                """));

        ClusterObjects shown = new WithheldNames(Visibility.NO_NAMES).withhold(cluster.objects());

        assertThat(NodeAllocatableUses.of(shown.pods().get(0))).singleElement().satisfies(use -> {
            assertThat(use.claim())
                    .startsWith("(claim ")
                    .isEqualTo(shown.claims().get(0).getMetadata().getName());
            assertThat(use.ofPod()).hasToString("{cpu=4}");
        });
    }
}
