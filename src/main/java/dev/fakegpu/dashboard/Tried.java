package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * The consequences of a hypothetical change.
 *
 * @param remarks problems or special properties of the objects that were tried
 * @param answer the sentences that {@code fakegpu what-if} prints
 * @param placed whether everything that was tried would be placed
 * @param change the difference between the current picture and the hypothetical one
 */
@JsonPropertyOrder({"remarks", "answer", "placed", "change"})
public record Tried(List<String> remarks, List<String> answer, boolean placed, DashboardChange change) {
    public Tried {
        remarks = List.copyOf(remarks);
        answer = List.copyOf(answer);
    }
}
