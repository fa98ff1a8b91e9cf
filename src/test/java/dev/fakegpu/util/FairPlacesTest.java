package dev.fakegpu.util;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class FairPlacesTest {

    @Test
    void largestOwnerGivesUpPlacesUntilTheNewcomerHasAsMany() {
        var owners = new ArrayList<>(Collections.nCopies(8, "greedy"));

        for (int i = 0; i < 20; i++) {
            FairPlaces.whoGivesUp(owners, "admin").ifPresent(most -> {
                owners.remove(most);
                owners.add("admin");
            });
        }

        assertThat(owners).filteredOn("admin"::equals).hasSize(4);
        assertThat(FairPlaces.whoGivesUp(owners, "greedy")).isEmpty();
    }

    @Test
    void theOnlyPlaceOfAnOwnerIsNotTaken() {
        assertThat(FairPlaces.whoGivesUp(List.of("a", "b", "c"), "d")).isEmpty();
        assertThat(FairPlaces.whoGivesUp(List.of(), "d")).isEmpty();
    }

    @Test
    void aDifferenceOfOneDoesNotCount() {
        assertThat(FairPlaces.whoGivesUp(List.of("a", "a", "a", "b", "b"), "b")).isEmpty();
        assertThat(FairPlaces.whoGivesUp(List.of("a", "a", "b", "b"), "c")).contains("a");
    }
}
