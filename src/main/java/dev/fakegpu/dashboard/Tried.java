package dev.fakegpu.dashboard;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import java.util.List;

/**
 * What a change that nobody has made would lead to.
 *
 * @param remarks what is wrong with the objects that were tried, or special about them
 * @param answer as {@code fakegpu what-if} prints it, one sentence each
 * @param placed whether everything that was tried would be placed
 * @param change from the present picture to the one as it would be
 */
@JsonPropertyOrder({"remarks", "answer", "placed", "change"})
public record Tried(List<String> remarks, List<String> answer, boolean placed, DashboardChange change) {
    public Tried {
        remarks = List.copyOf(remarks);
        answer = List.copyOf(answer);
    }
}
