package dev.fakegpu.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DiffCommandTest {

    @Test
    void manyNamesOfNodesAreNotPrinted() {
        assertThat(DiffCommand.namesToCompareWith(nodes(10))).isEqualTo("n-0,n-1,n-2,n-3,n-4,n-5,n-6,n-7,n-8,n-9");
        assertThat(DiffCommand.namesToCompareWith(nodes(1000)))
                .isEqualTo("and the names of the 1000 nodes of SECOND in alphabetical order, separated by commas");
    }

    private static TreeSet<String> nodes(int count) {
        return IntStream.range(0, count).mapToObj("n-%d"::formatted).collect(Collectors.toCollection(TreeSet::new));
    }
}
