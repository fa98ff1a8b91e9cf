package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifest;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.SimulationInput;
import dev.fakegpu.cli.input.StoredObjects;
import dev.fakegpu.cluster.snapshot.ClusterObjects;
import dev.fakegpu.cluster.validation.ApiServer;
import dev.fakegpu.cluster.whatif.Changes;
import dev.fakegpu.cluster.whatif.WhatIf;
import dev.fakegpu.cluster.whatif.WhatIfJson;
import dev.fakegpu.cluster.whatif.WhatIfText;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.Simulation;
import dev.fakegpu.simulate.change.PlayedChanges;
import dev.fakegpu.simulate.memory.SimulationException;
import io.fabric8.kubernetes.api.model.Pod;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code fakegpu what-if}: tries pods, claims and FakeGpus against a cluster. */
@Command(
        name = "what-if",
        mixinStandardHelpOptions = true,
        description = {
            "Try pods, claims and FakeGpus against the state of a cluster: where and with which devices they would be placed, or why not, and"
                    + " which pending pods would no longer fit because of them.",
            "Reads the cluster and writes nothing. Plays the changes on a copy in memory, as simulate does. If several nodes fit,"
                    + " kube-scheduler may choose another one."
        },
        exitCodeList = {
            "0:everything would be placed, no pending pod that fits now would wait, and no running pod would go",
            "1:the input is invalid, or the cluster cannot be read",
            "2:the command line is invalid",
            "3:a pod or claim would wait or be refused, or a running pod would go"
        },
        footerHeading = "%nExamples:%n",
        footer = {
            "  fakegpu what-if -f config/samples/03-groups-keep-incompatible-apart/",
            "  fakegpu what-if -f config/samples/03-groups-keep-incompatible-apart/20.Pod.pod-a.yaml --without pod/train",
            "  fakegpu what-if --evict pod/train-0 -n team-a -o json"
        })
final class WhatIfCommand implements Callable<Integer> {

    private static final int SOMETHING_WAITS = 3;

    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before call()
    private CommandSpec spec;

    @Mixin
    private final ClusterSource source = new ClusterSource();

    @Option(
            names = {"-f", "--filename"},
            paramLabel = "FILE",
            description =
                    "A file with objects to create or change: pods, Deployments, StatefulSets, DaemonSets, Jobs and other"
                            + " workloads, claims, templates, FakeGpus and all other objects that affect decisions. Repeat it for several files; - is standard input.")
    private List<String> files = List.of();

    @Option(
            names = "--without",
            paramLabel = "pod/NAME",
            description = "Assume that this pod does not exist (pod/NAMESPACE/NAME for another namespace). Repeatable.")
    private List<String> without = List.of();

    @Option(
            names = "--evict",
            paramLabel = "pod/NAME",
            description =
                    "Assume that this pod is evicted and has to be placed again, after the pods of the files. Repeatable.")
    private List<String> evict = List.of();

    @Mixin
    private final VersionOption version = new VersionOption();

    @Mixin
    private final GateOption gate = new GateOption();

    @Mixin
    private final MixinsOption mixins = new MixinsOption();

    @Mixin
    private final AnswerOutput output = new AnswerOutput();

    @Override
    public Integer call() {
        if (files.isEmpty() && without.isEmpty() && evict.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "specify a change with -f, --without or --evict");
        }
        WhatIf answer = source.with(spec.commandLine().getErr(), mixins.gate(), this::answer);
        output.print(
                spec,
                new AnswerOutput.Answers(
                        () -> WhatIfText.of(answer), () -> WhatIfJson.of(answer), () -> waitingNames(answer)));
        return answer.isHarmless() ? ExitCode.OK : SOMETHING_WAITS;
    }

    private WhatIf answer(ClusterSource.Source cluster) {
        var changes = new Changes();
        without.forEach(pod -> changes.remove(pod(pod, cluster)));
        evict.forEach(pod -> changes.evict(pod(pod, cluster)));
        List<Manifest> given = Manifests.of(files);
        KubernetesVersion server = version.or(() -> source.version(this::note));
        changes.apply(
                SimulationInput.objects(given, cluster.namespace(), mixins.gate(), ApiServer.of(server), this::note));
        ClusterObjects before = cluster.snapshot().objects();
        before.all().forEach(object -> StoredObjects.createdAt(Simulation.START, object));
        try {
            WhatIf answer =
                    PlayedChanges.of(before, changes, gate.sources(spec.commandLine(), source::apiServerGate), server);
            answer.notes().forEach(this::note);
            return answer;
        } catch (SimulationException e) {
            throw InvalidInputException.about(given, e.messages());
        }
    }

    private void note(String text) {
        PrintWriter err = spec.commandLine().getErr();
        err.println("fakegpu: note: " + text);
        err.flush();
    }

    private static List<String> waitingNames(WhatIf answer) {
        return answer.all()
                .filter(attempt -> !attempt.isPlaced())
                .map(attempt -> AnswerOutput.name(attempt.kind(), attempt.name()))
                .toList();
    }

    private static Pod pod(String text, ClusterSource.Source cluster) {
        String[] parts = text.split("/", -1);
        boolean isPod = parts.length > 1 && parts.length < 4 && parts[0].matches("pods?|po");
        if (!isPod) {
            throw new InvalidInputException("\"" + text + "\" is not a pod; allowed: pod/NAME, pod/NAMESPACE/NAME");
        }
        String namespace = parts.length == 3 ? parts[1] : cluster.namespace();
        String name = parts[parts.length - 1];
        return cluster.snapshot()
                .objects()
                .pod(namespace, name)
                .orElseThrow(() -> new InvalidInputException(
                        "there is no pod \"%s\" in namespace \"%s\"".formatted(name, namespace)));
    }
}
