package dev.fakegpu.simulate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.cluster.fit.PodState;
import dev.fakegpu.cluster.pending.Answer;
import dev.fakegpu.cluster.pending.ExplainSettings;
import dev.fakegpu.cluster.pending.PendingExplainer;
import dev.fakegpu.cluster.pending.State;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.SliceParser;
import dev.fakegpu.cluster.whatif.Attempt;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.dashboard.Dashboard.WaitingView;
import dev.fakegpu.dashboard.server.DashboardReader;
import dev.fakegpu.dra.wire.Allocations;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.kube.watch.PodClaims;
import dev.fakegpu.simulate.ClusterView.Waiting;
import dev.fakegpu.simulate.change.PlayedChanges;
import io.fabric8.kubernetes.api.model.Event;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.resource.v1.ResourceClaim;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A simulation that checks at each step that all sources say the same about a waiting pod, word for word: {@code simulate}, {@code
 * explain}, {@code what-if}, the dashboard, the newest Event, and the pod's condition. These differ for a reason:
 *
 * <ul>
 *   <li>Schedulers do not read ResourceClaimTemplates, and so do not say why a claim of a template is missing.
 *   <li>If a pod has the wrong scheduler for its devices, this scheduler does not know the other's devices; the explainer's Event says so.
 *   <li>Events of the kubelet have its own words before a driver's message, and the conditions of kube-scheduler before an error.
 *   <li>A pod that has a node has no condition about its devices.
 * </ul>
 */
final class OneSentence extends ForwardingStage {

    private static final Set<String> OF_SCHEDULERS = Set.of("FailedScheduling", "BindingConditionsPending");

    private static final Pattern OF_KUBE_SCHEDULER = Pattern.compile("^running \"DynamicResources\" filter plugin: ");

    private static final Pattern OF_KUBELET = Pattern.compile(
            "^Failed to prepare dynamic resources: prepare dynamic resources: NodePrepareResources failed for ResourceClaim ");

    /** What {@code explain} writes instead. */
    private static final Pattern NOT_PREPARED =
            Pattern.compile("^its devices are allocated, but cannot be prepared on node \\S+: claim ");

    private final Simulation simulation;
    private final HasMetadata settings;
    private final DashboardReader page;
    private final SliceParser parser = new SliceParser();

    /** Whether the current state of the cluster was checked; it changes only when a step is played. */
    private boolean checked;

    OneSentence(SimulationOptions options) {
        this(new Simulation(options), options);
    }

    private OneSentence(Simulation simulation, SimulationOptions options) {
        super(simulation);
        this.simulation = simulation;
        settings = options.asSettings().asDeployment();
        page = new DashboardReader("test", simulation.pendingChanges());
    }

    @Override
    void changed() {
        checked = false;
    }

    @Override
    public Observation observe(Predicate<Observation> isExpected) {
        Observation observed = simulation.observe(isExpected);
        if (!checked) {
            check(observed);
            checked = true;
        }
        return observed;
    }

    private void check(Observation observed) {
        var objects = ClusterObjects.of(Stream.concat(simulation.cluster().all().stream(), Stream.of(settings))
                .toList());
        var explainer = new PendingExplainer(
                new ClusterSnapshot(objects, parser),
                new ExplainSettings(GateSources.NONE, Optional.empty(), simulation.pendingChanges()));
        List<WaitingView> shown = page.read(objects).waiting();
        Map<Pod, Answer> stuck = new LinkedHashMap<>();
        simulation.cluster().list(Pod.class).stream()
                .filter(pod -> pod.getMetadata().getDeletionTimestamp() == null)
                .forEach(pod -> {
                    Answer answer = explainer.pod(
                            pod.getMetadata().getNamespace(), pod.getMetadata().getName());
                    if (answer.state().isStuck()) {
                        stuck.put(pod, answer);
                    }
                });
        stuck.forEach((pod, answer) -> {
            if (answer.state() == State.PENDING) {
                checkPage(pod, answer, shown);
            }
            check(pod, answer, observed);
        });
        checkWhatIf(stuck, objects);
    }

    /** The page shows which pods cannot use a device. */
    private static void checkPage(Pod pod, Answer explained, List<WaitingView> page) {
        assertThat(page)
                .as("page about %s", pod.getMetadata().getName())
                .filteredOn(waiting -> waiting.kind().equals("Pod")
                        && waiting.namespace().equals(pod.getMetadata().getNamespace())
                        && waiting.name().equals(pod.getMetadata().getName()))
                .extracting(waiting -> waiting.sentence() + (waiting.queue().isEmpty() ? "" : "; " + waiting.queue()))
                .containsExactly(explained.text());
    }

    /** Time advances during what-if, so a pod that waits now may be placed then. */
    private static void checkWhatIf(Map<Pod, Answer> stuck, ClusterObjects objects) {
        if (stuck.isEmpty()) {
            return;
        }
        var changes = new Changes();
        stuck.keySet().forEach(changes::await);
        List<Attempt> tried = PlayedChanges.of(objects, changes, GateSources.NONE, KubernetesVersion.NEWEST)
                .tried();
        stuck.forEach((pod, explained) -> tried.stream()
                .filter(attempt -> attempt.namespace().equals(pod.getMetadata().getNamespace())
                        && attempt.name().equals(pod.getMetadata().getName())
                        && !attempt.isPlaced())
                .forEach(attempt -> assertThat(attempt.sentence())
                        .as("what-if about %s", attempt.name())
                        .isEqualTo(explained.text())));
    }

    private void check(Pod pod, Answer explained, Observation observed) {
        String namespace = pod.getMetadata().getNamespace();
        String name = pod.getMetadata().getName();
        Waiting simulated = observed.view().pod(namespace, name).orElseThrow().waiting();
        if (simulated == null || isOutOfDate(pod, observed)) {
            return;
        }
        String sentence = explained.text();
        assertThat(without(OF_KUBELET, simulated.sentence()))
                .as("simulate about %s", name)
                .isEqualTo(PodState.isBound(pod) ? without(NOT_PREPARED, sentence) : sentence);
        boolean isOfTemplate = PodClaims.of(pod, simulation.stores().claims()).areBeingMade();
        boolean isOfExplainer = explained.code().equals("WrongAllocator") || isOfTemplate;
        if (PodState.isBound(pod) || isOfExplainer) {
            return;
        }
        PodState.scheduled(pod)
                .ifPresent(condition -> assertThat(without(OF_KUBE_SCHEDULER, condition.getMessage()))
                        .as("condition of %s", name)
                        .isEqualTo(sentence));
        List<String> events = observed.events().stream()
                .filter(event -> isRefusal(event, pod))
                .map(Event::getMessage)
                .map(message -> without(OF_KUBE_SCHEDULER, message))
                .toList();
        assertThat(events).as("events of %s", name).contains(sentence);
    }

    /** If another allocation takes more devices of the kind that a pod lacks, the pod is not tried again, so its Event is older. */
    private static boolean isOutOfDate(Pod pod, Observation observed) {
        Stream<String> refused = observed.events().stream()
                .filter(event -> isRefusal(event, pod))
                .flatMap(event -> Stream.ofNullable(event.getLastTimestamp()));
        Stream<String> allocated = observed.objects().stream()
                .filter(ResourceClaim.class::isInstance)
                .map(ResourceClaim.class::cast)
                .filter(Allocations::isAllocated)
                .flatMap(claim ->
                        Stream.ofNullable(claim.getStatus().getAllocation().getAllocationTimestamp()));
        String last = refused.max(Comparator.naturalOrder()).orElse("9999");
        return !PodState.isBound(pod) && allocated.anyMatch(time -> time.compareTo(last) > 0);
    }

    private static boolean isRefusal(Event event, Pod pod) {
        return event.getInvolvedObject().getUid().equals(pod.getMetadata().getUid())
                && OF_SCHEDULERS.contains(event.getReason());
    }

    private static String without(Pattern beginning, String text) {
        return beginning.matcher(text).replaceFirst("");
    }
}
