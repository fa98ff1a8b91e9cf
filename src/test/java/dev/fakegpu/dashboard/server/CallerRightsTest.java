package dev.fakegpu.dashboard.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.ConfigBuilder;
import org.junit.jupiter.api.Test;

class CallerRightsTest {

    @Test
    void nothingThatAuthenticatesTheServerIsUsedForItsCallers() {
        Config server = new ConfigBuilder(Config.empty())
                .withMasterUrl("https://10.96.0.1:443/")
                .withCaCertData("authority")
                .withOauthToken("token")
                .withClientCertData("certificate")
                .withClientKeyData("key")
                .withClientCertFile("certificate-file")
                .withClientKeyFile("key-file")
                .withUsername("user")
                .withPassword("password")
                .withImpersonateUsername("somebody")
                .build();

        Config caller = CallerRights.withoutCredentials(server);

        assertThat(caller.getMasterUrl()).isEqualTo("https://10.96.0.1:443/");
        assertThat(caller.getCaCertData()).isEqualTo("authority");
        assertThat(caller.getOauthToken()).isNull();
        assertThat(caller.getOauthTokenProvider()).isNull();
        assertThat(caller.getClientCertData()).isNull();
        assertThat(caller.getClientKeyData()).isNull();
        assertThat(caller.getClientCertFile()).isNull();
        assertThat(caller.getClientKeyFile()).isNull();
        assertThat(caller.getUsername()).isNull();
        assertThat(caller.getPassword()).isNull();
        assertThat(caller.getImpersonateUsername()).isNull();
        assertThat(caller.getAutoConfigure()).isFalse();
    }
}
