package dev.fakegpu.engine.problemfile.referee;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.StreamSupport;

/** Compares answers with those of the reference. */
final class Judge {

    private final UnaryOperator<JsonNode> reference;

    /** @param reference returns the reference's answer to a problem */
    Judge(UnaryOperator<JsonNode> reference) {
        this.reference = reference;
    }

    /**
     * The verdict on an answer.
     *
     * @param right the reference's answer to the same problem
     */
    Verdict judge(ObjectNode problem, JsonNode right, JsonNode answer) {
        if (right.path("timedOut").asBoolean()) {
            return Verdict.NO_ANSWER;
        }
        boolean fits = outcome(right).equals("allocated");
        return switch (outcome(answer)) {
            case "panic" -> Verdict.CRASHES;
            case "invalid" -> Verdict.REFUSES;
            case "allocated" -> fits ? devices(problem, right, answer) : Verdict.GIVES;
            case "none" -> fits ? Verdict.MISSES : Verdict.SAME;
            default -> answer.path("timedOut").asBoolean() ? Verdict.NO_ANSWER : fits ? Verdict.REFUSES : Verdict.SAME;
        };
    }

    private static String outcome(JsonNode answer) {
        return answer.path("outcome").asText();
    }

    private Verdict devices(ObjectNode problem, JsonNode right, JsonNode answer) {
        List<String> chosen = devices(answer);
        if (chosen.equals(devices(right))) {
            return Verdict.SAME;
        }
        Map<String, List<String>> all = devicesOfAll(problem, answer);
        boolean mayBeChosen = all.equals(devicesOfAll(problem, right))
                && outcome(reference.apply(withOnly(problem, chosen, all))).equals("allocated");
        return mayBeChosen ? Verdict.OTHER_DEVICES : Verdict.WRONG_DEVICES;
    }

    /** For each request for all devices, its devices, by claim and request. There is only one solution. */
    private static Map<String, List<String>> devicesOfAll(ObjectNode problem, JsonNode answer) {
        var devices = new TreeMap<String, List<String>>();
        for (int claim = 0; claim < problem.path("claims").size(); claim++) {
            Set<String> requests = requestsForAll(problem.path("claims").get(claim));
            for (JsonNode result :
                    answer.path("results").path(claim).path("devices").path("results")) {
                String request = result.path("request").asText();
                if (requests.contains(request)) {
                    devices.computeIfAbsent(claim + "/" + request, ignored -> new ArrayList<>())
                            .add(id(result));
                }
            }
        }
        devices.values().forEach(Collections::sort);
        return devices;
    }

    private static Set<String> requestsForAll(JsonNode claim) {
        var names = new HashSet<String>();
        for (JsonNode request : claim.path("spec").path("devices").path("requests")) {
            String name = request.path("name").asText();
            if (isForAll(request.path("exactly"))) {
                names.add(name);
            }
            request.path("firstAvailable").forEach(alternative -> {
                if (isForAll(alternative)) {
                    names.add(name + "/" + alternative.path("name").asText());
                }
            });
        }
        return names;
    }

    private static boolean isForAll(JsonNode request) {
        return request.path("allocationMode").asText().equals("All");
    }

    /** The devices as {@code driver/pool/device}, sorted; a shared device is repeated for each allocation. */
    private static List<String> devices(JsonNode answer) {
        return StreamSupport.stream(answer.path("results").spliterator(), false)
                .flatMap(claim -> StreamSupport.stream(
                        claim.path("devices").path("results").spliterator(), false))
                .map(Judge::id)
                .sorted()
                .toList();
    }

    /** The problem without other devices. Requests for all devices get the count of their devices, since all devices would now be fewer. */
    private static ObjectNode withOnly(ObjectNode problem, List<String> devices, Map<String, List<String>> all) {
        ObjectNode copy = problem.deepCopy();
        copy.path("slices").forEach(slice -> {
            JsonNode spec = slice.path("spec");
            if (spec.path("devices") instanceof ArrayNode published) {
                for (int i = published.size() - 1; i >= 0; i--) {
                    String id = id(
                            spec.path("driver"),
                            spec.path("pool").path("name"),
                            published.get(i).path("name"));
                    if (!devices.contains(id) && !isHeld(problem, id)) {
                        published.remove(i);
                    }
                }
            }
        });
        all.forEach((request, got) -> {
            String[] names = request.split("/");
            for (JsonNode each :
                    copy.path("claims").path(Integer.parseInt(names[0])).at("/spec/devices/requests")) {
                if (each.path("name").asText().equals(names[1])) {
                    JsonNode asked = names.length == 2 ? each.path("exactly") : alternative(each, names[2]);
                    ((ObjectNode) asked).put("allocationMode", "ExactCount").put("count", got.size());
                }
            }
        });
        return copy;
    }

    private static JsonNode alternative(JsonNode request, String name) {
        return StreamSupport.stream(request.path("firstAvailable").spliterator(), false)
                .filter(each -> each.path("name").asText().equals(name))
                .findFirst()
                .orElseThrow();
    }

    /** Devices that were allocated before consume counters, so they are not removed. */
    private static boolean isHeld(ObjectNode problem, String id) {
        return problem.path("state").properties().stream()
                .flatMap(entry -> StreamSupport.stream(entry.getValue().spliterator(), false))
                .anyMatch(held -> id(held).equals(id));
    }

    private static String id(JsonNode device) {
        return id(device.path("driver"), device.path("pool"), device.path("device"));
    }

    private static String id(JsonNode driver, JsonNode pool, JsonNode device) {
        return driver.asText() + "/" + pool.asText() + "/" + device.asText();
    }
}
