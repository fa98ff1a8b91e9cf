package dev.fakegpu.dashboard.server;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.MappingIterator;
import dev.fakegpu.simulate.SimulationOptions;
import dev.fakegpu.simulate.memory.SimulationException;
import dev.fakegpu.simulate.scenario.ScenarioManifest;
import io.fabric8.kubernetes.client.utils.Serialization;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** Scenarios and samples as files; {@code dashboard/plays.txt} lists them. A sample is played one file at a time. */
final class PlayFiles {

    private static final String LIST = "plays.txt";

    /** The group of a file by the prefix of its path; the first match counts. */
    private static final Map<String, String> GROUPS = groupsByPath();

    private final Function<String, Optional<InputStream>> content;
    private final Map<String, List<String>> files = new LinkedHashMap<>();

    /** @param content returns the content of a file; empty if the file does not exist */
    PlayFiles(List<String> paths, Function<String, Optional<InputStream>> content) {
        this.content = content;
        paths.stream()
                .filter(path -> isThere(path, content))
                .forEach(path -> files.computeIfAbsent(play(path), ignored -> new ArrayList<>())
                        .add(path));
    }

    private static Map<String, String> groupsByPath() {
        var groups = new LinkedHashMap<String, String>();
        groups.put("example-", "KEP-5963's examples");
        groups.put("config/samples/kep-5963", "KEP-5963's examples");
        groups.put("docs/stuck/", "Stuck pods");
        groups.put("config/samples/", "Samples");
        return groups;
    }

    static PlayFiles ofBuild() {
        return new PlayFiles(
                list(), path -> Optional.ofNullable(PlayFiles.class.getResourceAsStream("/dashboard/plays/" + path)));
    }

    /** The paths of the files, in the order in which the page lists them. */
    static List<String> list() {
        try (InputStream in = PlayFiles.class.getResourceAsStream("/dashboard/" + LIST)) {
            if (in == null) {
                throw new IllegalStateException("the file dashboard/" + LIST + " is missing in this build");
            }
            return new String(in.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isThere(String path, Function<String, Optional<InputStream>> content) {
        try (InputStream in = content.apply(path).orElse(null)) {
            return in != null;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static boolean isScenario(String path) {
        return path.endsWith(".scenario.yaml");
    }

    /** The play that a file belongs to: a scenario is itself a play, and the file of a sample belongs to its folder. */
    private static String play(String path) {
        return isScenario(path) ? path : path.substring(0, path.lastIndexOf('/'));
    }

    List<Plays.Group> groups() {
        Map<String, List<Plays.Entry>> entries = new LinkedHashMap<>();
        files.keySet()
                .forEach(play -> entries.computeIfAbsent(group(play), ignored -> new ArrayList<>())
                        .add(new Plays.Entry(play, title(play))));
        return entries.entrySet().stream()
                .map(entry -> new Plays.Group(entry.getKey(), entry.getValue()))
                .toList();
    }

    private static String group(String play) {
        return GROUPS.entrySet().stream()
                .filter(entry -> play.startsWith(entry.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse("Others");
    }

    private static String title(String play) {
        return play.substring(play.lastIndexOf('/') + 1)
                .replace(".scenario.yaml", "")
                .replace('-', ' ');
    }

    /** @throws IllegalArgumentException if there is none with this name */
    Play read(String play) {
        List<String> paths = files.get(play);
        if (paths == null) {
            throw new IllegalArgumentException("there is no scenario \"%s\"".formatted(play));
        }
        ScenarioManifest scenario = isScenario(play)
                ? ScenarioManifest.read(documents(play).get(0), file -> beside(play, file))
                : new ScenarioManifest(
                        null,
                        paths.stream()
                                .map(path -> ScenarioManifest.apply(
                                        path.substring(path.lastIndexOf('/') + 1), documents(path)))
                                .toList());
        SimulationOptions options = Optional.ofNullable(scenario.scheduler())
                .map(SimulationOptions.DEFAULT::with)
                .orElse(SimulationOptions.DEFAULT);
        return new Play(title(play), List.of(new Play.World("", options, scenario.steps())));
    }

    /** The objects of a file or folder that a scenario refers to. */
    private List<JsonNode> beside(String scenario, String file) {
        String path = scenario.substring(0, scenario.lastIndexOf('/') + 1) + file;
        List<String> found = files.values().stream()
                .flatMap(List::stream)
                .filter(each -> each.equals(path) || each.startsWith(path + "/"))
                .toList();
        if (found.isEmpty()) {
            throw new SimulationException("there is no file " + path);
        }
        return found.stream().flatMap(each -> documents(each).stream()).toList();
    }

    private List<JsonNode> documents(String path) {
        try (InputStream in = content.apply(path).orElseThrow();
                MappingIterator<JsonNode> documents =
                        Serialization.yamlMapper().readerFor(JsonNode.class).readValues(in)) {
            return documents.readAll();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
