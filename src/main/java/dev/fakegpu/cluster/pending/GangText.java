package dev.fakegpu.cluster.pending;

import dev.fakegpu.cluster.fit.UnsupportedFields;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import dev.fakegpu.engine.gang.GangOutcome;
import dev.fakegpu.kube.manifest.PodGroup;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sentences about a PodGroup whose pods are placed all or none.
 *
 * @param bound the number of its pods that have a node
 */
public record GangText(PodGroup group, int bound) {

    public static String doesNotExist(String group) {
        return "PodGroup \"%s\" does not exist".formatted(group);
    }

    /** The text if the API server does not serve PodGroups, or only an unknown version. */
    public static String cannotBeRead(String group) {
        return ("PodGroup \"%s\" may be a gang, but the API server does not serve PodGroups of scheduling.k8s.io/v1beta1;"
                        + " set %s to Ignore to place each pod alone")
                .formatted(group, UnsupportedFields.SETTING);
    }

    /** The text for a group that belongs to a CompositePodGroup. */
    public String isPartOfAnother() {
        return "%s belongs to a CompositePodGroup, which is not supported".formatted(who());
    }

    /** The number of pods that must be placed at once. */
    public int needed() {
        return group.minCount().orElse(1);
    }

    /**
     * The text if there are too few pods.
     *
     * @param pods the number of existing pods
     * @param others the number of pods that other schedulers have to place, which do not count
     */
    public String tooFew(int pods, int others) {
        String rest = others == 0
                ? ""
                : "; %s of another scheduler %s not count".formatted(pods(others), others == 1 ? "does" : "do");
        return "%s needs %s, %d %s%s".formatted(who(), pods(needed()), pods, pods == 1 ? "exists" : "exist", rest);
    }

    public String atOnce() {
        return "%s needs %s at once".formatted(who(), pods(needed()));
    }

    /** The text if a pod of the group cannot be placed for a reason of its own. */
    public String notReady(String pod, String why) {
        return "%s, and pod \"%s\" cannot be placed: %s".formatted(atOnce(), pod, why);
    }

    /** @param all the number of pods without a node */
    public String fits(GangOutcome.Places places, int all) {
        int placed = places.nodes().size();
        return begin() + (placed == all && all > 1 ? "all pods fit" : fitting(placed, all));
    }

    /**
     * The text if too few of them fit.
     *
     * @param all the number of pods without a node
     * @param lack what the first pod without a place needs
     */
    public String fitsNot(GangOutcome.Places some, int all, String lack) {
        return begin() + fitting(some.nodes().size(), all) + "; " + lack;
    }

    private static String fitting(int placed, int all) {
        return placed == 0
                ? "none of %s fits".formatted(pods(all))
                : "%d of %s %s".formatted(placed, pods(all), placed == 1 ? "fits" : "fit");
    }

    public String notKnown(String why) {
        return begin() + "it is not known whether they fit: " + why;
    }

    private String begin() {
        String of = bound == 0 ? "" : ", of which %d %s a node".formatted(bound, bound == 1 ? "has" : "have");
        String domain = group.topologyKey()
                .map(key -> ", on nodes with the same value of label " + key)
                .orElse("");
        return atOnce() + of + domain + ": ";
    }

    /** What a pod needs and the other pods do not leave. */
    public static String lack(String pod, List<Claim> claims) {
        return claims.isEmpty()
                ? "no node is left for %s".formatted(pod)
                : "%s needs %s, but the other pods leave too few that fit".formatted(pod, wanted(claims));
    }

    /** What a pod needs of which there is too little for any pod of the group. */
    public static String lackOfAll(String pod, List<Claim> claims) {
        return "%s needs %s, but too few are free".formatted(pod, wanted(claims));
    }

    /** Why a pod finds no node even without the other pods. */
    public static String alone(String pod, String why) {
        return "for %s, %s".formatted(pod, why);
    }

    private String who() {
        return "PodGroup \"%s\"".formatted(group.getMetadata().getName());
    }

    private static String wanted(List<Claim> claims) {
        return claims.stream()
                .flatMap(claim -> claim.requests().stream())
                .map(GangText::wanted)
                .collect(Collectors.joining(" and "));
    }

    private static String wanted(DeviceRequest request) {
        return Stream.concat(Stream.ofNullable(request.exactly()), request.firstAvailable().stream())
                .map(GangText::wanted)
                .collect(Collectors.joining(" or "));
    }

    private static String wanted(ExactRequest request) {
        String number =
                request.isAll() ? "all devices" : request.count() == 1 ? "1 device" : request.count() + " devices";
        return "%s of class \"%s\"".formatted(number, request.deviceClassName());
    }

    private static String pods(int count) {
        return count == 1 ? "1 pod" : count + " pods";
    }
}
