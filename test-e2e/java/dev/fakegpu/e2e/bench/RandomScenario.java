package dev.fakegpu.e2e.bench;

import com.fasterxml.jackson.databind.JsonNode;
import dev.fakegpu.simulate.memory.ObjectName;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Random steps: pods with their own claims, shared claims, several claims or none; workloads, which are scaled; deletions; cordoned and
 * tainted nodes; DeviceTaintRules that evict; and more FakeGpus, if there are any.
 */
final class RandomScenario {

    private final Random random;
    private final String name;
    private final String driver;
    private final PlayedBy playedBy;
    private final RandomWorld world;
    private final List<ObjectName> pods = new ArrayList<>();
    private final List<ObjectName> workloads = new ArrayList<>();
    private final List<String> claims = new ArrayList<>();
    private final List<ObjectName> rules = new ArrayList<>();
    private int number;

    /** The label of the pods that are being generated. */
    private String app = "";

    /** @param name the namespace, which is also the prefix of the names of nodes */
    RandomScenario(long seed, String name, PlayedBy playedBy) {
        this.random = new Random(seed);
        this.name = name;
        this.driver = name + ".example.com";
        this.playedBy = playedBy;
        this.world = new RandomWorld(random, driver, playedBy);
    }

    private <T> T any(List<T> list) {
        return list.get(random.nextInt(list.size()));
    }

    private boolean chance(int percent) {
        return random.nextInt(100) < percent;
    }

    List<PlayedAction> start() {
        return world.objects(name).stream()
                .<PlayedAction>map(PlayedAction.Create::new)
                .toList();
    }

    List<PlayedAction> next() {
        int choice = random.nextInt(100);
        if (choice < 48) {
            return pod();
        } else if (choice < 62) {
            return workload();
        } else if (choice < 76 && !pods.isEmpty()) {
            return List.of(new PlayedAction.Delete(pods.remove(random.nextInt(pods.size()))));
        } else if (choice < 84 && !workloads.isEmpty()) {
            return changeWorkload();
        } else if (choice < 90) {
            return changeNode();
        } else if (choice < 96) {
            return rule();
        }
        return playedBy.isBare()
                ? pod()
                : List.of(new PlayedAction.Create(world.another("%s-%02d".formatted(name, number++))));
    }

    // --- users of devices

    private List<PlayedAction> pod() {
        app = any(List.of("x", "y"));
        String pod = "p%02d".formatted(number++);
        var actions = new ArrayList<PlayedAction>();
        var references = new ArrayList<String>();
        int count = chance(15) ? 0 : chance(15) ? 2 : 1;
        for (int i = 0; i < count; i++) {
            String claim;
            String shared = claims.isEmpty() ? "" : any(claims);
            boolean isUsed = references.stream().anyMatch(reference -> reference.contains(" " + shared + "}"));
            if (!shared.isEmpty() && !isUsed && chance(15)) {
                claim = shared;
            } else {
                claim = "%s-%d".formatted(pod, i);
                actions.add(
                        new PlayedAction.Create(claim("ResourceClaim", claim, "{devices: %s}".formatted(devices()))));
                claims.add(claim);
            }
            references.add("{name: c%d, resourceClaimName: %s}".formatted(i, claim));
        }
        actions.add(new PlayedAction.Create(RandomWorld.json("""
                apiVersion: v1
                kind: Pod
                metadata: {namespace: %s, name: %s, labels: {app: %s}}
                spec: %s
                """.formatted(name, pod, app, spec(references)))));
        pods.add(new ObjectName("Pod", name, pod));
        return actions;
    }

    private JsonNode claim(String kind, String claim, String spec) {
        return RandomWorld.json("""
                apiVersion: resource.k8s.io/v1
                kind: %s
                metadata: {namespace: %s, name: %s}
                spec: %s
                """.formatted(kind, name, claim, spec));
    }

    private String devices() {
        var requests = new ArrayList<String>();
        int count = chance(20) ? 2 : 1;
        for (int i = 0; i < count; i++) {
            requests.add(
                    chance(20)
                            ? "{name: r%d, firstAvailable: [{name: a, %s}, {name: b, %s}]}"
                                    .formatted(i, request(), request())
                            : "{name: r%d, exactly: {%s}}".formatted(i, request()));
        }
        return "{requests: [" + String.join(", ", requests) + "]}";
    }

    private String request() {
        String type = any(List.of(
                        "",
                        "",
                        " && device.attributes[\"%s\"].type == \"mig\"",
                        " && device.attributes[\"%s\"].type == \"gpu\""))
                .formatted(driver);
        String count = chance(20) ? ", count: 2" : "";
        return "deviceClassName: %s, selectors: [{cel: {expression: 'true%s'}}]%s".formatted(driver, type, count);
    }

    /** @param references the names of claims */
    private String spec(List<String> references) {
        var uses = new ArrayList<String>();
        for (int i = 0; i < references.size(); i++) {
            uses.add("{name: c%d}".formatted(i));
        }
        String requests =
                any(List.of("{}", "{cpu: 500m}", "{cpu: 1, memory: 1Gi}", "{cpu: 2, memory: 6Gi}", "{memory: 3Gi}"));
        return ("{schedulerName: %s, terminationGracePeriodSeconds: 0, containers: [{name: main, image: busybox, resources: {requests: %s, claims: [%s]}}], resourceClaims: [%s]%s}")
                .formatted(
                        playedBy.schedulerName(),
                        requests,
                        String.join(", ", uses),
                        String.join(", ", references),
                        placement());
    }

    private String placement() {
        var text = new StringBuilder();
        if (chance(12)) {
            text.append(", nodeSelector: {topology.kubernetes.io/zone: %s}".formatted(any(List.of("a", "b"))));
        }
        if (chance(15)) {
            text.append(", tolerations: [{key: old, operator: Exists}]");
        }
        var affinity = new ArrayList<String>();
        if (chance(20)) {
            affinity.add(
                    "nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: %d, preference: {matchExpressions: [{key: tier, operator: In, values: [gold]}]}}]}"
                            .formatted(1 + random.nextInt(100)));
        }
        if (playedBy != PlayedBy.COMPANION) {
            affinity.addAll(podAffinity());
            text.append(spread());
        }
        if (!affinity.isEmpty()) {
            text.append(", affinity: {" + String.join(", ", affinity) + "}");
        }
        if (chance(12)) {
            text.append(", priorityClassName: " + name);
        }
        return text.toString();
    }

    /** The companion schedules no pods with such affinity. */
    private List<String> podAffinity() {
        var affinity = new ArrayList<String>();
        if (chance(20)) {
            affinity.add(
                    "%s: {preferredDuringSchedulingIgnoredDuringExecution: [{weight: %d, podAffinityTerm: {topologyKey: %s, labelSelector: {matchLabels: {app: %s}}}}]}"
                            .formatted(
                                    any(List.of("podAffinity", "podAntiAffinity")),
                                    1 + random.nextInt(100),
                                    any(List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")),
                                    any(List.of("x", "y"))));
        }
        if (chance(10)) {
            affinity.add(required());
        }
        return affinity;
    }

    /** The companion schedules no pods with such constraints. */
    private String spread() {
        return chance(15)
                ? ", topologySpreadConstraints: [{maxSkew: %d, whenUnsatisfiable: %s, topologyKey: %s, labelSelector: {matchLabels: {app: %s}}}]"
                        .formatted(
                                1 + random.nextInt(2),
                                any(List.of("ScheduleAnyway", "ScheduleAnyway", "DoNotSchedule")),
                                any(List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")),
                                any(List.of("x", "y")))
                : "";
    }

    /** No pod requires similar pods: after the last one is deleted, kube-scheduler tries waiting pods again only after five minutes. */
    private String required() {
        boolean isNear = random.nextBoolean();
        return "%s: {requiredDuringSchedulingIgnoredDuringExecution: [{topologyKey: %s, labelSelector: {matchLabels: {app: %s}}}]}"
                .formatted(
                        isNear ? "podAffinity" : "podAntiAffinity",
                        any(List.of("kubernetes.io/hostname", "topology.kubernetes.io/zone")),
                        isNear ? (app.equals("x") ? "y" : "x") : any(List.of("x", "y")));
    }

    private List<PlayedAction> workload() {
        app = "";
        String workload = "w%02d".formatted(number++);
        String kind = any(List.of("Deployment", "StatefulSet", "StatefulSet", "Deployment", "Job"));
        String replicas = kind.equals("Job")
                ? "parallelism: %1$d, completions: %1$d".formatted(1 + random.nextInt(2))
                : "replicas: %d, selector: {matchLabels: {app: %s}}%s"
                        .formatted(
                                1 + random.nextInt(3),
                                workload,
                                kind.equals("StatefulSet") ? ", serviceName: none" : "");
        String spec = spec(List.of("{name: c0, resourceClaimTemplateName: " + workload + "}"));
        if (kind.equals("Job")) {
            spec = "{restartPolicy: Never, " + spec.substring(1);
        }
        workloads.add(new ObjectName(kind, name, workload));
        return List.of(
                new PlayedAction.Create(
                        claim("ResourceClaimTemplate", workload, "{spec: {devices: %s}}".formatted(devices()))),
                new PlayedAction.Create(RandomWorld.json("""
                        apiVersion: %s
                        kind: %s
                        metadata: {namespace: %s, name: %s}
                        spec: {%s, template: {metadata: {labels: {app: %s}}, spec: %s}}
                        """.formatted(
                        kind.equals("Job") ? "batch/v1" : "apps/v1", kind, name, workload, replicas, workload, spec))));
    }

    private List<PlayedAction> changeWorkload() {
        ObjectName workload = any(workloads);
        if (workload.kind().equals("Job") || chance(40)) {
            workloads.remove(workload);
            return List.of(new PlayedAction.Delete(workload));
        }
        // If pods of a Deployment have the same age, their UIDs decide which one is deleted, so it loses all or none.
        int replicas = workload.kind().equals("StatefulSet") ? random.nextInt(4) : any(List.of(0, 4));
        return List.of(
                new PlayedAction.Change(workload, RandomWorld.json("{spec: {replicas: %d}}".formatted(replicas))));
    }

    // --- nodes

    private List<PlayedAction> changeNode() {
        var node = new ObjectName("Node", "", any(world.nodes()));
        String spec = any(List.of(
                "{unschedulable: true}",
                "{unschedulable: null}",
                "{unschedulable: null, taints: [{key: old, effect: NoSchedule}]}",
                "{taints: [{key: old, effect: PreferNoSchedule}]}",
                "{unschedulable: null, taints: []}"));
        return List.of(new PlayedAction.Change(node, RandomWorld.json("{spec: %s}".formatted(spec))));
    }

    private List<PlayedAction> rule() {
        if (!rules.isEmpty()) {
            return List.of(new PlayedAction.Delete(rules.remove(0)));
        }
        var rule = new ObjectName("DeviceTaintRule", "", name + "-%02d".formatted(number++));
        rules.add(rule);
        return List.of(new PlayedAction.Create(RandomWorld.json(
                """
                apiVersion: resource.k8s.io/v1
                kind: DeviceTaintRule
                metadata: {name: %s}
                spec: {deviceSelector: {driver: %s, pool: %s}, taint: {key: broken, value: 'yes', effect: %s}}
                """.formatted(rule.name(), driver, any(world.pools()), any(List.of("NoExecute", "NoSchedule"))))));
    }
}
