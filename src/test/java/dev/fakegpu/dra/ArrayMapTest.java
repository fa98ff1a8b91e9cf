package dev.fakegpu.dra;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ArrayMapTest {

    @Test
    void behavesLikeALinkedHashMap() {
        var random = new Random(7);
        for (int run = 0; run < 200; run++) {
            var expected = new LinkedHashMap<String, Integer>();
            for (int i = random.nextInt(12); i >= 0; i--) {
                expected.put("key-" + random.nextInt(20), random.nextInt(3));
            }
            var map = ArrayMap.copyOf(expected);

            assertThat(map).isInstanceOf(ArrayMap.class).isEqualTo(expected).hasSameHashCodeAs(expected);
            assertThat(expected).isEqualTo(map);
            assertThat(new ArrayList<>(map.entrySet())).isEqualTo(new ArrayList<>(expected.entrySet()));
            assertThat(map.toString()).isEqualTo(expected.toString());
            for (int key = 0; key < 20; key++) {
                assertThat(map.get("key-" + key)).isEqualTo(expected.get("key-" + key));
                assertThat(map.containsKey("key-" + key)).isEqualTo(expected.containsKey("key-" + key));
            }
            var visited = new LinkedHashMap<String, Integer>();
            map.forEach(visited::put);
            assertThat(visited).isEqualTo(expected);
        }
    }

    @Test
    void isEqualInAnyOrderButNotWithOtherEntries() {
        var map = ArrayMap.copyOf(ordered("a", "b"));

        assertThat(map).isEqualTo(ArrayMap.copyOf(ordered("b", "a")));
        assertThat(map).isNotEqualTo(ArrayMap.copyOf(ordered("a", "c")));
        assertThat(map).isNotEqualTo(ArrayMap.copyOf(ordered("a")));
    }

    @Test
    void cannotBeModified() {
        assertThatThrownBy(() -> ArrayMap.copyOf(ordered("a")).put("b", 2))
                .isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> ArrayMap.copyOf(ordered("a")).clear())
                .isInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void aLargeMapIsAHashTable() {
        var large = new LinkedHashMap<Integer, Integer>();
        for (int i = 0; i < 1000; i++) {
            large.put(i, i);
        }

        assertThat(ArrayMap.copyOf(large)).isEqualTo(large).isNotInstanceOf(ArrayMap.class);
    }

    private static Map<String, Integer> ordered(String... keys) {
        var map = new LinkedHashMap<String, Integer>();
        for (String key : keys) {
            map.put(key, 1);
        }
        return map;
    }
}
