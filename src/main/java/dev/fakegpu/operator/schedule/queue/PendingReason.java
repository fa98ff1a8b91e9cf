package dev.fakegpu.operator.schedule.queue;

import dev.fakegpu.cluster.fit.PlacementFields;
import dev.fakegpu.engine.explain.ScopedText;
import dev.fakegpu.engine.explain.finding.Reason;
import java.util.List;
import java.util.stream.Stream;

/**
 * Why a pod or claim is pending.
 *
 * @param code for programs: one of {@link #CODES}
 * @param isError whether an error ended the attempt; kube-scheduler distinguishes this from nodes that do not fit
 */
public record PendingReason(String code, ScopedText text, boolean isError) {

    private static final String NO_NODE_FITS = "NoNodeFits";
    private static final String CLAIMS_UNAVAILABLE = "ClaimsUnavailable";
    private static final String BINDING_FAILED = "BindingFailed";
    private static final String GANG_INCOMPLETE = "GangIncomplete";
    private static final String GANG_DOES_NOT_FIT = "GangDoesNotFit";
    private static final String UNREADABLE = "Unreadable";
    private static final String NOT_STORED = "NotStored";

    /** The names of {@link Reason} for devices, and codes for other reasons. */
    public static final List<String> CODES = Stream.concat(
                    Stream.of(Reason.values()).map(Reason::name),
                    Stream.of(
                            NO_NODE_FITS,
                            CLAIMS_UNAVAILABLE,
                            BINDING_FAILED,
                            GANG_INCOMPLETE,
                            GANG_DOES_NOT_FIT,
                            UNREADABLE,
                            PlacementFields.CODE,
                            NOT_STORED))
            .toList();

    private PendingReason(String code, ScopedText text) {
        this(code, text, false);
    }

    /** The devices on nodes that otherwise fit are the reason. */
    public static PendingReason devices(Reason reason, ScopedText text) {
        return new PendingReason(reason.name(), text);
    }

    /** An error while looking for devices ended the attempt on all nodes. */
    public static PendingReason error(Reason reason, ScopedText text) {
        return new PendingReason(reason.name(), text, true);
    }

    /** No node fits the pod, regardless of devices. */
    public static PendingReason noNodeFits(ScopedText text) {
        return new PendingReason(NO_NODE_FITS, text);
    }

    /** A claim of the pod is missing, or cannot be used as it is. */
    public static PendingReason claimsUnavailable(String text) {
        return new PendingReason(CLAIMS_UNAVAILABLE, ScopedText.of(text));
    }

    public boolean isAboutClaims() {
        return code.equals(CLAIMS_UNAVAILABLE);
    }

    /** A device could not be made ready for the pod. */
    public static PendingReason bindingFailed(String text) {
        return new PendingReason(BINDING_FAILED, ScopedText.of(text));
    }

    /** The pod waits for others of its PodGroup. */
    public static PendingReason gangIncomplete(String text) {
        return new PendingReason(GANG_INCOMPLETE, ScopedText.of(text));
    }

    /** There is no place for enough pods of its PodGroup. */
    public static PendingReason gangDoesNotFit(ScopedText text) {
        return new PendingReason(GANG_DOES_NOT_FIT, text);
    }

    /**
     * An error in claims, classes or slices ended the search for places for its PodGroup.
     *
     * @param isError whether the scheduler distinguishes this from nodes that do not fit
     */
    public static PendingReason gangFailed(ScopedText text, boolean isError) {
        return new PendingReason(GANG_DOES_NOT_FIT, text, isError);
    }

    /** The object has fields whose types this version does not know. */
    public static PendingReason unreadable(String text) {
        return new PendingReason(UNREADABLE, ScopedText.of(text));
    }

    /** The pod has fields that restrict its placement and that are not supported. */
    public static PendingReason placementNotSupported(String text) {
        return new PendingReason(PlacementFields.CODE, ScopedText.of(text));
    }

    /** The API server did not store a decision in time. */
    public static PendingReason notStored(String text) {
        return new PendingReason(NOT_STORED, ScopedText.of(text));
    }

    /** The search for devices was interrupted. */
    public static PendingReason undecided(String text) {
        return devices(Reason.Undecided, ScopedText.of(text));
    }

    /** Whether the search for devices ended with an error, and the pod waits for no others of its PodGroup. */
    public boolean isDevicesError() {
        return isError && !code.equals(GANG_DOES_NOT_FIT);
    }

    /** Returns this reason with text appended. */
    public PendingReason append(ScopedText end) {
        return new PendingReason(code, text.append(end), isError);
    }

    /** The value of the annotation {@code fakegpu.dev/not-allocated} of a claim. */
    public String annotation() {
        return code + ": " + text.shown();
    }
}
