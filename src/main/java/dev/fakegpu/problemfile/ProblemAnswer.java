package dev.fakegpu.problemfile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a problem, with the fields of its JSON.
 *
 * @param results one per claim, there exactly if the outcome is {@code allocated}
 * @param errorScope {@code node}, {@code fatal} or {@code context}: how far an error reaches
 * @param steps of the search
 * @param timedOut true or absent
 * @param ns median time of an allocation
 * @param firstNs time of the first, cold one
 * @param newNs median time of making an allocator
 */
@JsonPropertyOrder({
    "name",
    "implementation",
    "outcome",
    "error",
    "errorScope",
    "steps",
    "timedOut",
    "ns",
    "firstNs",
    "newNs",
    "runs",
    "explanation",
    "results"
})
@JsonInclude(JsonInclude.Include.NON_NULL)
public record ProblemAnswer(
        String name,
        String implementation,
        Verdict outcome,
        @Nullable List<AllocationResult> results,
        @Nullable String error,
        @Nullable String errorScope,
        long steps,
        @Nullable Boolean timedOut,
        long ns,
        long firstNs,
        long newNs,
        int runs,
        @Nullable ExplanationJson explanation) {

    static final String IMPLEMENTATION = "fakegpu";

    /** What can come of a problem. */
    @SuppressWarnings("JavaLangClash")
    public enum Verdict {
        allocated,
        none,
        error,
        /** It could not be read, or names an unknown feature. */
        invalid,
        /** The allocator broke. */
        panic
    }
}
