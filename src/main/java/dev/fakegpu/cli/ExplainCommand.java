package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cluster.pending.Answer;
import dev.fakegpu.cluster.pending.ExplainSettings;
import dev.fakegpu.cluster.pending.PendingExplainer;
import dev.fakegpu.cluster.pending.Report;
import dev.fakegpu.cluster.pending.ReportJson;
import dev.fakegpu.cluster.pending.ReportText;
import dev.fakegpu.cluster.pending.UnknownObjectException;
import dev.fakegpu.cluster.snapshot.ClusterSnapshot;
import dev.fakegpu.cluster.snapshot.GateSources;
import dev.fakegpu.cluster.snapshot.ObjectKind;
import dev.fakegpu.engine.explain.PendingChanges;
import dev.fakegpu.hardware.catalog.Catalog;
import dev.fakegpu.hardware.inventory.InventoryPlanner;
import dev.fakegpu.operator.publish.DeferredChanges;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code fakegpu explain}: says why pods and claims of a cluster get no devices. */
@Command(
        name = "explain",
        mixinStandardHelpOptions = true,
        description = {
            "Say why a pod or claim gets no devices: the first obstacle in a sentence, then what stops each request on each node, then"
                    + " what would help.",
            "Reads the cluster once and writes nothing. Works for any scheduler and the devices of any DRA driver, without the operator,"
                    + " and with the permissions of the caller; lists what the caller may not read.",
            "Without a NAME, explains all pending pods and claims, all pods whose devices cannot be prepared, and running pods whose hardware"
                    + " no longer works; groups equal explanations."
        },
        exitCodeList = {
            "0:None of the pods and claims is pending: they are allocated or bound, or have ended.",
            "1:A pod or claim does not exist, the cluster cannot be read, or nothing you may see is pending, but you may not see all.",
            "2:The command line is invalid.",
            "3:At least one is pending, or has devices that cannot be prepared."
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu explain pod train",
            "  fakegpu explain claim train-gpu -n team-a --for-node node-7",
            "  fakegpu explain --all-namespaces -o json"
        })
final class ExplainCommand implements Callable<Integer> {

    private static final int PENDING = 3;

    private enum Kind {
        POD,
        CLAIM
    }

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Parameters(
            index = "0",
            arity = "0..1",
            paramLabel = "pod|claim",
            description = "What to explain; also as kubectl names it, and as pod/NAME (default: both).")
    private @Nullable String kind;

    @Parameters(
            index = "1",
            arity = "0..1",
            paramLabel = "NAME",
            description = "Name of the pod or ResourceClaim (default: all that are pending for lack of devices).")
    private @Nullable String name;

    @Mixin
    private final ClusterSource source = new ClusterSource();

    @Mixin
    private final AllNamespacesOption allNamespaces = new AllNamespacesOption();

    @Option(names = "--for-node", paramLabel = "NODE", description = "Explain only this node.")
    private @Nullable String node;

    @Mixin
    private final GateOption gate = new GateOption();

    @Mixin
    private final MixinsOption mixins = new MixinsOption();

    @Mixin
    private final AnswerOutput output = new AnswerOutput();

    @Override
    public Integer call() {
        GateSources sources = gate.sources(spec.commandLine(), source::apiServerGate);
        List<Kind> kinds = kinds();
        String wanted = name();
        Report report = source.withUnreported(spec.commandLine().getErr(), mixins.gate(), cluster -> {
            ClusterSnapshot snapshot = cluster.snapshot();
            var settings = new ExplainSettings(sources, Optional.ofNullable(node), pendingChanges(snapshot));
            try {
                var explainer = new PendingExplainer(snapshot, settings);
                return wanted != null
                        ? Report.of(named(explainer, kinds, wanted, cluster.namespace()), snapshot)
                        : waiting(explainer, snapshot, kinds, cluster.namespace());
            } catch (UnknownObjectException e) {
                throw new InvalidInputException(String.valueOf(e.getMessage()));
            }
        });
        output.print(
                spec,
                new AnswerOutput.Answers(
                        () -> ReportText.of(report), () -> ReportJson.of(report), () -> pendingNames(report)));
        if (!report.isAnswered()) {
            tellUnanswered(report);
            return CommandLine.ExitCode.SOFTWARE;
        }
        return report.isAnyPending() ? PENDING : CommandLine.ExitCode.OK;
    }

    /** Prints what is unanswered for people; programs use the exit code. */
    private void tellUnanswered(Report report) {
        if (!output.isText()) {
            report.withoutExplanations()
                    .ifPresent(sentence -> spec.commandLine().getErr().println("fakegpu: " + sentence));
            spec.commandLine().getErr().flush();
        }
    }

    private static List<String> pendingNames(Report report) {
        return report.groups().stream()
                .filter(group -> group.answer().state().isStuck())
                .flatMap(group -> group.subjects())
                .map(subject -> AnswerOutput.name(subject.kind(), subject.name()))
                .toList();
    }

    private List<Answer> named(PendingExplainer explainer, List<Kind> kinds, String wanted, String namespace) {
        boolean isPod = kinds.get(0) == Kind.POD;
        if (allNamespaces.isGiven()) {
            return isPod ? explainer.podsNamed(wanted) : explainer.claimsNamed(wanted);
        }
        return List.of(isPod ? explainer.pod(namespace, wanted) : explainer.claim(namespace, wanted));
    }

    private Report waiting(PendingExplainer explainer, ClusterSnapshot snapshot, List<Kind> kinds, String namespace) {
        Optional<String> only = allNamespaces.isGiven() ? Optional.empty() : Optional.of(namespace);
        var answers = new ArrayList<Answer>();
        for (Kind each : kinds) {
            answers.addAll(each == Kind.POD ? explainer.podsInTrouble(only) : explainer.pendingClaims(only));
        }
        List<ObjectKind> asked = kinds.stream()
                .map(each -> each == Kind.POD ? ObjectKind.PODS : ObjectKind.CLAIMS)
                .toList();
        return Report.ofWaiting(answers, snapshot, asked, only);
    }

    private List<Kind> kinds() {
        if (kind == null) {
            return List.of(Kind.POD, Kind.CLAIM);
        }
        String written = kind.split("/", 2)[0].toLowerCase(Locale.ROOT);
        return switch (written) {
            case "pod", "pods", "po" -> List.of(Kind.POD);
            case "claim", "claims", "resourceclaim", "resourceclaims", "resourceclaims.resource.k8s.io" ->
                List.of(Kind.CLAIM);
            default ->
                throw new ParameterException(
                        spec.commandLine(), "\"" + kind + "\" cannot be explained; allowed: pod, claim");
        };
    }

    private @Nullable String name() {
        String written = kind;
        int slash = written == null ? -1 : written.indexOf('/');
        return written == null || slash < 0 || name != null ? name : written.substring(slash + 1);
    }

    /** Reads the catalog only if there are FakeGpus. */
    private static PendingChanges pendingChanges(ClusterSnapshot snapshot) {
        return snapshot.objects().fakeGpus().isEmpty()
                ? PendingChanges.NONE
                : new DeferredChanges(snapshot.objects()::fakeGpus, new InventoryPlanner(Catalog.builtIn()));
    }
}
