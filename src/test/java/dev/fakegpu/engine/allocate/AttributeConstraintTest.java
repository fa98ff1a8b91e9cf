package dev.fakegpu.engine.allocate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.fakegpu.dra.AttributeValue;
import dev.fakegpu.dra.AttributeValue.IntValue;
import dev.fakegpu.dra.AttributeValue.ListValue;
import dev.fakegpu.dra.DeviceConstraint;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class AttributeConstraintTest {

    private static final String RACK = "gpu.example.com/rack";
    private static final AttributeValue ONE = new IntValue(1);
    private static final AttributeValue TWO = new IntValue(2);
    private static final AttributeValue THREE = new IntValue(3);

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void matchAdmitsEqualValuesOnly(boolean lists) {
        var match = match(lists);

        assertThat(match.isMatch()).isTrue();
        assertThat(match.agreedValues()).isNull();
        assertThat(match.tryAdd(ONE)).isTrue();
        assertThat(match.tryAdd(TWO)).isFalse();
        assertThat(match.tryAdd(null)).isFalse();
        assertThat(match.tryAdd(ONE)).isTrue();
        assertThat(match.size()).isEqualTo(2);
        assertThat(match.agreedValues()).containsExactly(ONE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void matchForgetsWhatIsTakenBack(boolean lists) {
        // Given
        var match = match(lists);
        match.tryAdd(ONE);
        match.tryAdd(ONE);

        // When
        match.removeLast();
        boolean whileOneIsLeft = match.tryAdd(TWO);
        match.removeLast();

        // Then
        assertThat(whileOneIsLeft).isFalse();
        assertThat(match.size()).isZero();
        assertThat(match.agreedValues()).isNull();
        assertThat(match.tryAdd(TWO)).isTrue();
    }

    @Test
    void listsMatchByACommonElement() {
        var match = match(true);

        assertThat(match.tryAdd(list(ONE, TWO))).isTrue();
        assertThat(match.tryAdd(list(TWO, THREE))).isTrue();
        assertThat(match.agreedValues()).containsExactly(TWO);
        assertThat(match.tryAdd(list(ONE, THREE))).isFalse();
        assertThat(match.tryAdd(TWO)).isTrue();
        assertThat(match.comparable(list(ONE, TWO), 7)).isEqualTo(Set.of(ONE, TWO));
    }

    @Test
    void withoutTheListFeatureOneListIsAdmittedAloneByMatch() {
        var match = match(false);

        assertThat(match.tryAdd(list(ONE))).isTrue();
        assertThat(match.agreedValues()).isEmpty();
        assertThat(match.tryAdd(list(ONE))).isFalse();
        assertThat(match.comparable(list(ONE), 7)).isEqualTo(Set.of(7));
        assertThat(match.comparable(ONE, 7)).isEqualTo(Set.of(ONE));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void distinctAdmitsEachValueOnce(boolean lists) {
        var distinct = distinct(lists);

        assertThat(distinct.isMatch()).isFalse();
        assertThat(distinct.agreedValues()).isNull();
        assertThat(distinct.tryAdd(ONE)).isTrue();
        assertThat(distinct.tryAdd(ONE)).isFalse();
        assertThat(distinct.tryAdd(TWO)).isTrue();
        assertThat(distinct.size()).isEqualTo(2);
        distinct.removeLast();
        assertThat(distinct.tryAdd(TWO)).isTrue();
    }

    @Test
    void listsAreDistinctWithoutACommonElement() {
        var distinct = distinct(true);

        assertThat(distinct.tryAdd(list(ONE, TWO))).isTrue();
        assertThat(distinct.tryAdd(list(TWO, THREE))).isFalse();
        assertThat(distinct.tryAdd(THREE)).isTrue();
        assertThat(distinct.tryAdd(list())).isFalse();
        assertThat(distinct.comparable(list(ONE), 7)).isEqualTo(Set.of(ONE));
    }

    @Test
    void withoutTheListFeatureNoListIsDistinct() {
        var distinct = distinct(false);

        assertThat(distinct.tryAdd(list(ONE))).isTrue();
        assertThat(distinct.tryAdd(list(TWO))).isFalse();
        assertThat(distinct.tryAdd(THREE)).isTrue();
        assertThat(distinct.comparable(list(ONE), 7)).isEqualTo(Set.of(7));
        assertThat(distinct.comparable(ONE, 7)).isEqualTo(Set.of(ONE));
    }

    private static AttributeConstraint<?> match(boolean lists) {
        return AttributeConstraint.of(
                new DeviceConstraint(List.of(), RACK, null),
                lists ? AttributeComparison.SETS : AttributeComparison.VALUES);
    }

    private static AttributeConstraint<?> distinct(boolean lists) {
        return AttributeConstraint.of(
                new DeviceConstraint(List.of(), null, RACK),
                lists ? AttributeComparison.SETS : AttributeComparison.VALUES);
    }

    private static ListValue list(AttributeValue... values) {
        return new ListValue(AttributeValue.Kind.INT, Arrays.asList(values));
    }
}
