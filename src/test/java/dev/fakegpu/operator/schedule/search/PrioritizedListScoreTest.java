package dev.fakegpu.operator.schedule.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.Allocation;
import dev.fakegpu.dra.Claim;
import dev.fakegpu.dra.ClaimRef;
import dev.fakegpu.dra.DeviceId;
import dev.fakegpu.dra.DeviceRequest;
import dev.fakegpu.dra.ExactRequest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class PrioritizedListScoreTest {

    private static final List<Claim> CLAIMS = List.of(
            claim(
                    list("one", "best", "second", "third"),
                    DeviceRequest.exactly("plain", "gpu", List.of(), 1, List.of())),
            claim(list("two", "best", "second", "third")));

    @Test
    void onlyRequestsWithAlternativesCount() {
        assertThat(PrioritizedListScore.best(CLAIMS)).isEqualTo(16);
        assertThat(PrioritizedListScore.best(List.of())).isZero();
    }

    @Test
    void eachAlternativeIsWorthOneLessThanTheOneBefore() {
        assertThat(PrioritizedListScore.of(CLAIMS, List.of(results("one/best", "plain"), results("two/third"))))
                .isEqualTo(8 + 6);
    }

    private static Claim claim(DeviceRequest... requests) {
        return new Claim(new ClaimRef("default", "claim", "uid"), List.of(requests), List.of(), List.of());
    }

    private static DeviceRequest list(String name, String... alternatives) {
        return new DeviceRequest(
                name,
                null,
                List.of(alternatives).stream()
                        .map(alternative -> new ExactRequest(
                                alternative,
                                "gpu",
                                List.of(),
                                false,
                                ExactRequest.EXACT_COUNT,
                                1,
                                List.of(),
                                null,
                                Map.of(),
                                null))
                        .toList());
    }

    private static Allocation results(String... requests) {
        return new Allocation(
                List.of(requests).stream()
                        .map(request -> new Allocation.Result(
                                request, new DeviceId("gpu.example.com", "pool", request), List.of()))
                        .toList(),
                List.of(),
                null);
    }
}
