package dev.fakegpu.engine.problemfile;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import io.fabric8.kubernetes.api.model.resource.v1.AllocationResult;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a problem, as JSON.
 *
 * @param results one result per claim; present if and only if the outcome is {@code allocated}
 * @param errorScope what an error applies to: {@code node}, {@code fatal} or {@code context}
 * @param steps the number of search steps
 * @param timedOut true or absent
 * @param ns the median time of an allocation, in nanoseconds
 * @param firstNs the time of the first, cold allocation, in nanoseconds
 * @param newNs the median time to create an allocator, in nanoseconds
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

    /** The outcome of a problem. */
    @SuppressWarnings("JavaLangClash")
    public enum Verdict {
        allocated,
        none,
        error,
        /** The problem could not be read, or names an unknown feature. */
        invalid,
        /** The allocator threw an unexpected exception. */
        panic
    }
}
