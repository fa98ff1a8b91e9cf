package dev.fakegpu.cli;

import dev.fakegpu.cli.input.InvalidInputException;
import dev.fakegpu.cli.input.Manifests;
import dev.fakegpu.cli.input.SimulationInput;
import dev.fakegpu.dra.mixin.MixinsGate;
import dev.fakegpu.engine.allocate.pool.GroupPolicy;
import dev.fakegpu.engine.allocate.pool.GroupsGate;
import dev.fakegpu.kube.manifest.KubernetesVersion;
import dev.fakegpu.simulate.Schedulers;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.ServerGates;
import dev.fakegpu.util.Suggestion;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.TypeConversionException;

/** The options that select the world, or the two worlds, in which something is played. */
final class SimulatedWorlds {

    @Option(
            names = "--scheduler",
            paramLabel = "NAME",
            description = {
                "The scheduler: ${COMPLETION-CANDIDATES} (default: what the scenario says, else companion).",
                "With kube, pods of default-scheduler are also scheduled, by the rules of kube-scheduler 1.37."
            })
    private @Nullable Schedulers schedulers;

    @Option(
            names = "--gate",
            paramLabel = "GATE",
            defaultValue = "ON",
            description = "How schedulers treat compatibility groups: on, off or unaware (default: on).")
    private GroupsGate gate = GroupsGate.ON;

    @Option(
            names = "--group-policy",
            paramLabel = "POLICY",
            defaultValue = "SNAPSHOT",
            description =
                    "Which groups of allocated devices count: snapshot (those recorded at allocation) or live (those in the current slices; default: snapshot).")
    private GroupPolicy groupPolicy = GroupPolicy.SNAPSHOT;

    @Option(
            names = "--kubernetes",
            paramLabel = "VERSION",
            defaultValue = "1.37",
            converter = VersionConverter.class,
            description =
                    "Version of Kubernetes, which determines the fields and rules of the API server: ${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE}).")
    private KubernetesVersion version = KubernetesVersion.V1_37;

    @Mixin
    private final MixinsOption mixins = new MixinsOption();

    @Option(
            names = "--feature-gates",
            paramLabel = "GATE=BOOL",
            split = ",",
            description =
                    "Feature gates of Kubernetes, such as DRADeviceTaints=false: fields whose gate is off are dropped. First, default stands for the defaults of the version (default: all are on).")
    private List<String> featureGates = List.of();

    @Option(
            names = "--compare",
            paramLabel = "A,B",
            description = {
                "Play everything twice and show both results side by side: with gate=On,Off, groupPolicy=Snapshot,Live, version=1.36,1.37",
                "(of Kubernetes) or mixins=On,Off; or with FILE,FILE, each of them together with the other files, whose objects of the same name it replaces."
            })
    private @Nullable String compare;

    /** A world in which something is played. */
    record World(String title, SimulationOptions options, MixinsGate mixins, SimulationInput input) {}

    boolean areCompared() {
        return compare != null;
    }

    /** Reads what is played. */
    interface Reading {
        SimulationInput read(MixinsGate mixins, ServerGates server, Consumer<String> notes);
    }

    /**
     * One world, or the two that are compared.
     *
     * @param notes receives each note once, although files that are compared are read twice
     */
    List<World> of(Reading input, Consumer<String> notes) {
        var noted = new HashSet<String>();
        Consumer<String> once = note -> {
            if (noted.add(note)) {
                notes.accept(note);
            }
        };
        return compare == null ? List.of(world("", options(), mixins(), input, once)) : worlds(input, compare, once);
    }

    MixinsGate mixins() {
        return mixins.gate();
    }

    /** @param text {@code SETTING=A,B} or {@code FILE,FILE} */
    private List<World> worlds(Reading input, String text, Consumer<String> notes) {
        String[] parts = text.split("[=,]", -1);
        boolean isSetting = text.contains("=");
        if (parts.length != (isSetting ? 3 : 2)) {
            throw new InvalidInputException(
                    "--compare: \"%s\" cannot be read; allowed: gate=On,Off, groupPolicy=Snapshot,Live,".formatted(text)
                            + " version=1.36,1.37, mixins=On,Off or FILE,FILE");
        }
        if (isSetting && parts[0].equals("mixins")) {
            return Stream.of(parts[1], parts[2])
                    .map(value -> world(
                            parts[0] + "=" + value, options(), value(parts[0], value, MixinsGate.class), input, notes))
                    .toList();
        }
        if (isSetting) {
            return Stream.of(parts[1], parts[2])
                    .map(value -> world(parts[0] + "=" + value, options(parts[0], value), mixins(), input, notes))
                    .toList();
        }
        SimulationInput played = input.read(mixins(), options().server(), notes);
        return Stream.of(parts)
                .map(file -> world(title(file), options(), mixins(), played.with(overlay(file, notes)), notes))
                .toList();
    }

    private World world(
            String title, SimulationOptions options, MixinsGate gate, Reading input, Consumer<String> notes) {
        return world(title, options, gate, input.read(gate, options.server(), notes), notes);
    }

    private World world(
            String title, SimulationOptions options, MixinsGate gate, SimulationInput input, Consumer<String> notes) {
        if (schedulers == null) {
            return new World(title, input.scheduler().map(options::with).orElse(options), gate, input);
        }
        if (input.scenarios().stream().anyMatch(each -> each.scheduler() != null && each.scheduler() != schedulers)) {
            notes.accept("a scenario names another scheduler; it is played with --scheduler " + schedulers);
        }
        return new World(title, options, gate, input);
    }

    private SimulationInput overlay(String file, Consumer<String> notes) {
        return SimulationInput.of(
                Manifests.read(List.of(file)), mixins(), options().server(), notes);
    }

    private static String title(String file) {
        return String.valueOf(Path.of(file).getFileName());
    }

    private SimulationOptions options(String setting, String value) {
        return switch (setting) {
            case "gate" -> options().with(value(setting, value, GroupsGate.class));
            case "groupPolicy" -> options().with(value(setting, value, GroupPolicy.class));
            case "version" -> options(value(setting, value, KubernetesVersion.class));
            default ->
                throw new InvalidInputException(
                        "--compare: \"%s\" is not a setting; allowed: gate, groupPolicy, mixins, version"
                                .formatted(setting));
        };
    }

    private static <E extends Enum<E>> E value(String setting, String text, Class<E> type) {
        for (E each : type.getEnumConstants()) {
            if (each.toString().equalsIgnoreCase(text)) {
                return each;
            }
        }
        List<String> known = Stream.of(type.getEnumConstants())
                .map(each -> each.toString().toLowerCase(Locale.ROOT))
                .toList();
        throw new InvalidInputException("--compare: %s: \"%s\" is not known%s; allowed: %s"
                .formatted(setting, text, Suggestion.hint(text, known), String.join(", ", known)));
    }

    /** The options of a single world. */
    SimulationOptions options() {
        return options(version);
    }

    /** @param of {@code --kubernetes}, or a version that is compared, which may lack some of the gates that are set */
    private SimulationOptions options(KubernetesVersion of) {
        List<String> settings = featureGates.stream()
                .filter(setting -> !ServerGates.isOnlyIn(version, of, setting))
                .toList();
        return new SimulationOptions(
                        Objects.requireNonNullElse(schedulers, Schedulers.COMPANION), gate, groupPolicy, of)
                .with(ServerGates.of(of, settings));
    }

    /** Offers only versions; by default, picocli would also offer the names of the constants. */
    static final class VersionConverter implements ITypeConverter<KubernetesVersion> {
        @Override
        public KubernetesVersion convert(String text) {
            return Arrays.stream(KubernetesVersion.values())
                    .filter(version -> version.toString().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new TypeConversionException(
                            "expected one of %s but was '%s'".formatted(List.of(KubernetesVersion.values()), text)));
        }
    }
}
